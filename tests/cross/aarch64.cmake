# 64-bit ARM. libtcc makes code for it.
set(triple aarch64-linux-gnu)
set(processor aarch64)
set(emulator aarch64)
include("${CMAKE_CURRENT_LIST_DIR}/linux.cmake")
