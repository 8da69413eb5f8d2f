"""beside.py -- a call's time beside memcpy's, in one run."""

import ctypes
import statistics
import time

SLOW = 2  # seconds: a call that takes longer is not run again and again


def seconds_of(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def beside_memcpy(np, run, size, seconds):
    """memcpy's median time over the call's, alternating."""
    a, b = (np.ones(size, "u1") for _ in range(2))
    theirs, copies, end = [], [], time.perf_counter() + seconds
    least = 3
    while len(theirs) < least or (time.perf_counter() < end and len(theirs) < 200):
        theirs.append(seconds_of(run))
        least = 3 if theirs[0] < SLOW else 1
        copies.append(seconds_of(lambda: ctypes.memmove(b.ctypes.data, a.ctypes.data, size)))
    return statistics.median(copies) / statistics.median(theirs)
