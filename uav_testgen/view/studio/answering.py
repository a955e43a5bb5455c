"""Routes that answer in JSON: errors of the user become one clear line, errors of ours do not end the server."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from uav_testgen.core.errors import ConfigError, StoreError, UavTestgenError
from uav_testgen.view.studio.pool import JobFailed, JobStopped

log = logging.getLogger(__name__)

Answer = Callable[[Request], Awaitable[Response]]
Routes = list[tuple[str, str, Callable[..., Any]]]
"""Method, path and handler; a room of the studio offers a list of them."""


def answering(handler: Callable[..., Any]) -> Answer:
    """The route around a handler that returns plain data or raises."""

    async def route(request: Request) -> Response:
        try:
            result = await handler(request)
            return result if isinstance(result, Response) else JSONResponse(result)
        except StoreError as error:
            return JSONResponse({"error": str(error)}, status_code=409)
        except (UavTestgenError, JobFailed) as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        except JobStopped:
            return JSONResponse({"error": "stopped"}, status_code=409)
        except Exception as error:
            log.warning("a request met a bug", exc_info=True)
            return JSONResponse({"error": f"unexpected {type(error).__name__}: {error}"}, status_code=500)

    return route


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request."""
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise ConfigError("the request is not valid JSON") from None
    if not isinstance(data, dict):
        raise ConfigError("the request must be a JSON object")
    return data


def number_in(request: Request, name: str) -> int:
    """A whole number of the address."""
    given = request.query_params.get(name, "")
    if not given.isascii() or not given.isdigit() or len(given) > 12:
        raise ConfigError(f"{name}: a whole number is expected")
    return int(given)
