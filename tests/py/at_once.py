"""Compile each chain when it is first met, where libtcc is there; a chain that runs once would be interpreted."""
import numpy as np

import viewfold as vf


def compile_at_once():
    """For the rest of the process."""
    vf.set_options(engine="jit")
    try:
        vf.asarray(np.arange(6)).reshape(2, 3).T.numpy()
    except RuntimeError:
        vf.set_options(engine="auto")
