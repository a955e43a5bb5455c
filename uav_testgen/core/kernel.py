"""How functions of compiled flights are compiled."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from numba import njit

from uav_testgen.core import compile_watch as compile_watch  # from here on compiling is announced
from uav_testgen.core.kernel_parts import EntryCompiler, PartCompiler
from uav_testgen.core.kernel_store import EntryStore, PartStore

KERNEL: Final[dict[str, Any]] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""Runnable in threads, division by zero as in NumPy, never a C callback. No fast math: the order of
floating-point operations is part of every result.

Kernels allocate nothing and so need not count references: counting took a third of the planner's time, and 7 % of a
flight where only the planner did without, because every array is counted up and down (atomically) in every call.
The caller holds the arrays while a kernel runs.
"""


class Kernel:
    """A function that compiled flights are made of, for other kernels and for Python.

    Machine code is made only of what Python calls; a kernel that another one calls becomes a part of that one.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._options = options

    @functools.cached_property
    def _part(self) -> Any:
        part = njit(pipeline_class=PartCompiler, **self._options, no_cpython_wrapper=True)(self.py_func)
        PartStore.give(part)
        return part

    @functools.cached_property
    def _entry(self) -> Any:
        entry = njit(pipeline_class=EntryCompiler, **self._options)(_caller_of(self))
        EntryStore.give(entry)
        return entry

    @property
    def _numba_type_(self) -> Any:
        """What Numba sees where another kernel calls this one."""
        return self._part._numba_type_

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Called from Python: compiled at the first call with arguments of such types."""
        return self._entry(*arguments, **named)


def _caller_of(kernel: Kernel) -> Any:
    """What Python calls: it hands its arguments on, so a function is understood once, whoever calls it."""
    function = kernel.py_func
    code = function.__code__
    names = ", ".join(code.co_varnames[: code.co_argcount])
    text = f"def call({names}):\n    return _kernel_({names})"
    scope: dict[str, Any] = {"_kernel_": kernel, "__name__": function.__module__}
    exec(compile(text, code.co_filename, "exec"), scope)
    caller: Any = scope["call"]
    caller.__code__ = caller.__code__.replace(co_firstlineno=code.co_firstlineno)
    caller.__name__, caller.__qualname__ = function.__name__, function.__qualname__
    caller.__defaults__ = function.__defaults__
    return caller


def kernel_with(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator of a kernel with options of Numba besides the usual ones."""
    return lambda function: Kernel(function, {**KERNEL, **options})


kernel = kernel_with()
"""Decorator of a function that compiled flights are made of."""
inlined = kernel_with(forceinline=True)
"""The same for small functions, and for large ones with one caller: a call would copy their arguments."""
allocating_kernel = kernel_with(_nrt=True)
"""Decorator of a kernel that makes arrays of its own. Not for what is called in every step of a flight."""
