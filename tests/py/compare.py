"""compare.py -- compare a dumped batch of chains with NumPy, every byte.

    compare.py PROGRAM [ARG ...]     run PROGRAM with a directory in place of DIR, then compare

As in `compare.py oracle_dump DIR 2000 1` and `compare.py test_chains --dump DIR 2000`. Prints
what differs, at most ten cases, and exits 1 if anything does.
"""

import subprocess
import sys
import tempfile
import traceback

import numpy as np

from cases import read_cases
from views import evaluate


def numpy_complaint(case):
    try:
        result = evaluate(case.text, case.arrays).array
    except Exception:  # a chain that NumPy cannot do is a finding as well
        return "NumPy raised " + traceback.format_exc().strip().splitlines()[-1]
    if result.dtype != case.dtype:
        return "dtype %s, not %s" % (result.dtype, case.dtype)
    return case.complaint(result.shape, np.ascontiguousarray(result).tobytes())


def main(command):
    failures = count = 0
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([directory if word == "DIR" else word for word in command], check=True)
        for case in read_cases(directory):
            count += 1
            complaint = numpy_complaint(case)
            if complaint is None:
                continue
            failures += 1
            if failures <= 10:
                print("case %d: %s\n  %s\n  NumPy: %s" % (case.number, case.text, case.declarations(), complaint))
    print("%d chains compared with NumPy %s, %d differ" % (count, np.__version__, failures))
    return 1 if failures or not count else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
