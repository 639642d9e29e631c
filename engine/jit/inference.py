"""Kernels in less of numba's time: answers are remembered, passes and announcements without use left out.

It relies on inner parts of numba, as `engine.jit.dispatcher` does, which imports it where they are known.
"""

from functools import cache
from typing import Any, ClassVar

from llvmlite.binding import ffi
from numba.core import types
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import NopythonRewrites
from numba.core.typeinfer import TypeInferer
from numba.core.typing import Context
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    RewriteDynamicRaises,
    WithLifting,
)

# Passes for what no kernel has: closures, `with`, literals that are unrolled, functions inlined in Python,
# and sums of whole arrays, which numba would join into one loop.
UNUSED = {
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    NopythonRewrites,
    RewriteDynamicRaises,
    WithLifting,
}


class RememberingContext(Context):  # type: ignore[misc]
    """A typing context that remembers what operators and built-in functions make of their arguments.

    Parameters
    ----------
    context : numba.core.typing.Context
        It shares all its state.
    """

    _known: ClassVar[dict[Any, Any]] = {}  # by function and types of the arguments

    def __init__(self, context: Context) -> None:
        self.__dict__ = context.__dict__

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature with which `func` is called."""
        kind = func if isinstance(func, types.Type) else self._lookup_global(func)
        calls_back = any(isinstance(arg, types.Callable) for arg in args)
        if kws or calls_back or not isinstance(kind, types.Function):
            return super().resolve_function_type(func, args, kws)
        if (kind, args) not in self._known:
            self._known[kind, args] = super().resolve_function_type(func, args, kws)
        return self._known[kind, args]


class QuickCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler without the passes that kernels have no use for."""

    def __init__(self, typing: Context, *arguments: Any) -> None:
        super().__init__(RememberingContext(typing), *arguments)

    def define_pipelines(self) -> list[PassManager]:
        """Return the passes that make machine code of a kernel."""
        (manager,) = super().define_pipelines()
        manager.passes = [each for each in manager.passes if each[0] not in UNUSED]
        manager.finalize()
        return [manager]


def _return_types_from_partial(self: TypeInferer, infer: Any = TypeInferer.return_types_from_partial) -> Any:
    """Return what a recursive function returns, which numba infers anew at each of its calls."""
    if not isinstance(self.context, RememberingContext):
        return infer(self)
    known = getattr(self, "returned", None)
    if known is None:
        known = self.returned = infer(self)
    return known


TypeInferer.return_types_from_partial = _return_types_from_partial


# The text of a record, which numba writes anew wherever it looks up what its fields can do.
types.Record.__repr__ = cache(types.Record.__repr__)  # type: ignore[method-assign]
ffi.lib._lock._cblist.clear()  # numba would announce each of the calls to LLVM, and nobody listens
