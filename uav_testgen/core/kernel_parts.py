"""Kernels inside kernels: optimised once, turned into machine code only as part of what Python calls.

Numba makes machine code, and a wrapper that unpacks Python objects, for every compiled function, also for those
that only other compiled functions call. There are two hundred of them, and their callers copy and inline what
they need from the optimised intermediate code anyway.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering

_ENVIRONMENT = "_ZN08NumbaEnv"
"""How names of variables begin that point to what a function refers to in Python."""


class PartLibrary(JITCodeLibrary):
    """Optimised code for other libraries to link; it never becomes machine code itself."""

    def _optimize_final_module(self) -> None:
        """Left to whoever becomes machine code: each caller would optimise all that it calls once more."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


def part_library(codegen: Any, name: str, bitcode: bytes | None = None) -> PartLibrary:
    """An empty library, or one made of stored code."""
    library = PartLibrary(codegen, name)
    if bitcode is not None:
        library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
    return library


def part_key(fndesc: Any, library: Any, environment: Any) -> Any:
    """What Numba knows a compiled function by; this one has no address, so Python cannot call it."""
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(
        fndesc.lookup_module(), name, "part of other kernels", 0, environment, (library,)
    )


class EntryLibrary(JITCodeLibrary):
    """What Python calls and everything below it, optimised together, once."""

    def _optimize_final_module(self) -> None:
        """Numba runs the same passes twice, for the sake of functions that count references in their loops."""
        passes = self._codegen._module_pass_manager()
        if isinstance(passes, tuple):
            passes[0].run(self._final_module, passes[1])
        else:  # Numba before 0.62
            passes.run(self._final_module)


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """To optimised code, and no further."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Numba's pass without its last step; the result is known to the callers all the same."""
        state.library = part_library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered, library = state["cr"], state.library
        key = part_key(lowered.fndesc, library, lowered.env)
        state.targetctx.insert_user_function(key, lowered.fndesc, [library])
        state.reload_init.extend(getattr(library, "_reload_init", ()))  # none before Numba 0.62
        state["cr"] = lowered._replace(cfunc=key)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):
    """To machine code, parts included."""

    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        """Numba's pass, then the pointers to what the parts refer to in Python."""
        state.library = library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        library.enable_object_caching()
        super().run_pass(state)
        for variable in library._final_module.global_variables:
            environment = variable.name.startswith(_ENVIRONMENT) and lookup_environment(variable.name)
            if environment:
                library.codegen.set_env(variable.name, environment)
        return True


class _Compiler(CompilerBase):
    lowering: Any

    def define_pipelines(self) -> list[Any]:
        """Numba's usual steps with our last one."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (self.lowering if step is NativeLowering else step, what) for step, what in pipeline.passes
        ]
        pipeline._finalized = False
        pipeline.finalize()
        return [pipeline]


class PartCompiler(_Compiler):
    """Compiler of functions that compiled functions call."""

    lowering = PartLowering


class EntryCompiler(_Compiler):
    """Compiler of functions that Python calls."""

    lowering = EntryLowering
