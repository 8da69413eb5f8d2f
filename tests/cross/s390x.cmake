# IBM Z: big-endian, 64 bits. libtcc makes no code for it: interpreted.
set(triple s390x-linux-gnu)
set(processor s390x)
set(emulator s390x)
include("${CMAKE_CURRENT_LIST_DIR}/linux.cmake")
