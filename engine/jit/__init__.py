"""Everything that depends on numba: kernels, specialised searches, their cache on disk, intrinsics.

No other package imports numba. A kernel is a plain function under ``@kernel``. It is compiled for the types
of its first call and cached in a folder of its game (see `cache_folder`). The folder is named by a hash of
all sources that kernels of the game can reach: a change to any of them starts a new folder, and no kernel is
linked with a stale callee. With ``NUMBA_DISABLE_JIT=1`` kernels run as plain Python functions.
"""

from tengen.engine.jit.cache import cache_folder as cache_folder
from tengen.engine.jit.cache import cache_root as cache_root
from tengen.engine.jit.cache import folder_lock as folder_lock
from tengen.engine.jit.cache import keeps_kernels as keeps_kernels
from tengen.engine.jit.convolution import MAX_BLOCK as MAX_BLOCK
from tengen.engine.jit.convolution import PARTS as PARTS
from tengen.engine.jit.convolution import TILE as TILE
from tengen.engine.jit.convolution import multiply as multiply
from tengen.engine.jit.convolution import restore_tiles as restore_tiles
from tengen.engine.jit.convolution import transform_tiles as transform_tiles
from tengen.engine.jit.convolution import transform_weights as transform_weights
from tengen.engine.jit.convolution import view as view
from tengen.engine.jit.events import on_compile as on_compile
from tengen.engine.jit.intrinsics import COMPILED as COMPILED
from tengen.engine.jit.intrinsics import LANES as LANES
from tengen.engine.jit.intrinsics import ONE as ONE
from tengen.engine.jit.intrinsics import add_at_bits as add_at_bits
from tengen.engine.jit.intrinsics import clock_time as clock_time
from tengen.engine.jit.intrinsics import copy_vectors as copy_vectors
from tengen.engine.jit.intrinsics import dot as dot
from tengen.engine.jit.intrinsics import dot_clipped as dot_clipped
from tengen.engine.jit.intrinsics import load_word as load_word
from tengen.engine.jit.intrinsics import lsb as lsb
from tengen.engine.jit.intrinsics import msb as msb
from tengen.engine.jit.intrinsics import popcount as popcount
from tengen.engine.jit.intrinsics import prefetch as prefetch
from tengen.engine.jit.intrinsics import replace_rows as replace_rows
from tengen.engine.jit.intrinsics import store_word as store_word
from tengen.engine.jit.intrinsics import sum_at_bits as sum_at_bits
from tengen.engine.jit.intrinsics import sum_rows as sum_rows
from tengen.engine.jit.kernels import kernel as kernel
from tengen.engine.jit.kernels import overloads as overloads
from tengen.engine.jit.kernels import specialise as specialise
from tengen.engine.jit.records import record as record
from tengen.engine.jit.records import zeros as zeros
from tengen.engine.jit.sources import source_hash as source_hash
from tengen.engine.jit.sources import sources as sources
from tengen.engine.jit.stopping import StopFlag as StopFlag
from tengen.engine.jit.stopping import is_stopped as is_stopped
