"""Draws the pictures of the studio in README and docs: map, what the drone sees, a running search, a dragged wall.

    python tools/make_studio_pictures.py [NAME ...]      NAME: scene, sees, campaign, drag (default: all)

It starts a studio of its own and looks at it through Chromium (`chromium` on the path), so it needs the extras
`studio` and `dev`. Nothing is kept but the pictures in docs/images.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
PATIENCE_MS = 300_000
LARGE, SMALL = (1440, 900), (1200, 740)
COLOURS = 96
DRAG_STEPS, DRAG_NORTH_M = 22, 5.5
FRAME_MS, LAST_FRAME_MS = 110, 2500


def scene(page: Any) -> None:
    """The map with a wall chosen."""
    page.click("#map .obstacle >> nth=1")
    settled(page)
    save(page, "studio_scene.png")


def sees(page: Any) -> None:
    """What the drone sees, and the costs that decide."""
    settled(page)
    page.click("#tab-sees")
    page.click("text=Record this flight")
    page.wait_for_selector("#depth", timeout=PATIENCE_MS)
    page.wait_for_function(
        "() => document.querySelector('#decision')?.textContent.length > 20", timeout=PATIENCE_MS
    )
    # The moment at which it turns away from the second wall.
    page.evaluate("""() => {
        const slider = byId("time");
        slider.value = 0.155 * slider.max; slider.dispatchEvent(new Event("input"));
    }""")
    page.wait_for_timeout(1500)
    page.evaluate("() => byId('moment-text').scrollIntoView()")
    save(page, "studio_sees.png")


def campaign(page: Any) -> None:
    """A search while it runs."""
    page.click('[data-go="campaigns"]')
    page.fill('#view-campaigns label:has-text("Folder") input', "walls")
    page.fill('#view-campaigns label:has-text("Scenes to predict") input', "200")
    page.click("text=Start search")
    page.wait_for_function(
        "() => document.querySelectorAll('.job-tests tbody tr').length >= 14", timeout=PATIENCE_MS
    )
    save(page, "studio_campaign.png")
    page.click(".job-actions button:has-text('Stop')")
    page.wait_for_selector(".card[data-state=stopped]", timeout=PATIENCE_MS)


def drag(page: Any) -> None:
    """A wall is dragged to the north; the last picture has the whole prediction."""
    settled(page)
    wall = page.locator("#map .obstacle").nth(1).locator(".shape")
    box = wall.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    pixels = DRAG_NORTH_M * page.evaluate("() => view.scale")
    page.mouse.move(x, y)
    page.mouse.down()
    frames = [picture(page)]
    for step in range(1, DRAG_STEPS + 1):
        page.mouse.move(x, y - pixels * step / DRAG_STEPS)
        page.wait_for_timeout(60)
        page.wait_for_function("() => !flown.isStale", timeout=PATIENCE_MS)
        frames.append(picture(page))
    page.mouse.up()
    settled(page)
    page.wait_for_timeout(300)  # until the bar of the probability has grown
    frames.append(picture(page))
    durations = [FRAME_MS] * (len(frames) - 1) + [LAST_FRAME_MS]
    frames[0].save(
        IMAGES / "studio_drag.gif",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        optimize=True,
    )


PICTURES: dict[str, tuple[Callable[[Any], None], tuple[int, int], str]] = {
    "scene": (scene, LARGE, "two_walls"),
    "sees": (sees, LARGE, "too_close"),
    "campaign": (campaign, LARGE, "two_walls"),
    "drag": (drag, SMALL, "two_walls"),
}
"""Name: what is done, the size of the window, the shipped scene it begins with."""


def settled(page: Any) -> None:
    """Wait until the prediction is there; how long it took on the drawing machine says little."""
    page.evaluate("() => { byId('runs-state').style.visibility = 'hidden'; }")
    page.wait_for_timeout(300)
    page.wait_for_selector("#verdict[data-state=predicted]", timeout=PATIENCE_MS)


def picture(page: Any) -> Image.Image:
    """The page in a few colours."""
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return shot.quantize(COLOURS, dither=Image.Dither.NONE)


def save(page: Any, name: str) -> None:
    """As a small PNG."""
    page.wait_for_timeout(300)
    picture(page).save(IMAGES / name, optimize=True)


@contextmanager
def studio() -> Iterator[str]:
    """The address of a studio in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        words = [
            sys.executable,
            "-m",
            "uav_testgen.cli.main",
            "studio",
            folder,
            "--port",
            "0",
            "--no-browser",
        ]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            found = re.search(r"http://\S+", process.stdout.readline())
            if found is None:
                raise SystemExit("the studio printed no address")
            yield found[0]
        finally:
            process.terminate()
            process.wait(20)


def main() -> int:
    """Draw the named pictures."""
    names = sys.argv[1:] or list(PICTURES)
    program = shutil.which("chromium")
    if program is None or not set(names) <= set(PICTURES):
        raise SystemExit(__doc__)
    with studio() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for name in names:
            draw, (width, height), shipped = PICTURES[name]
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
            page.goto(address)
            page.wait_for_selector("html[data-ready=yes]", timeout=PATIENCE_MS)
            if shipped != "two_walls":
                page.click('[data-go="gallery"]')
                page.click(f".gallery-card:has-text('fly {shipped}') button", timeout=PATIENCE_MS)
            draw(page)
            page.close()
            print(f"drawn: {name}")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
