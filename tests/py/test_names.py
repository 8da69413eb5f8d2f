"""test_names.py -- names of NumPy, PyTorch and einops that are made of other operations.

Each line is Python: it runs there on an array, and here as an expression. Results must be the same, shape and
elements; what is refused there must be refused here. A line is left out where its module cannot be imported.

    s   0.   rank 0          u, v  [4], [6]        y, w  [4,6], [6,4]
    x   [2,3,4]              p     [2,3,5,6]       e     [0,3]
"""
import itertools
import re
import sys
import warnings

import numpy as np

from built import optional, vf

torch = optional("torch")
einops = optional("einops")
SHAPES = {"s": (), "u": (4,), "v": (6,), "y": (4, 6), "w": (6, 4), "x": (2, 3, 4), "p": (2, 3, 5, 6), "e": (0, 3)}
ARRAYS = {name: np.arange(100 * place, 100 * place + np.prod(shape, dtype=int), dtype="f4").reshape(shape)
          for place, (name, shape) in enumerate(SHAPES.items())}

NUMPY = """
np.atleast_1d(s)        np.atleast_1d(u)        np.atleast_2d(s)        np.atleast_2d(u)
np.atleast_2d(x)        np.atleast_3d(s)        np.atleast_3d(u)        np.atleast_3d(y)
np.atleast_3d(p)        np.atleast_2d(s, u)[1]  np.atleast_3d(u, y)[0]  np.atleast_1d(s, x)[0]
np.dstack([u, u])       np.dstack((y, y))       np.dstack([x, x, x])    np.dstack([s, s])
np.dstack([y, u])       np.column_stack([u, u])  np.column_stack([u, y])  np.column_stack((s, s))
np.column_stack([y, y])  np.column_stack([x, x])  np.column_stack([u, v])
np.vstack([u, u])       np.concatenate([y, w], axis=None)               np.concatenate((s, u), None)
np.concatenate([y, y], axis=1)                  np.concatenate([x, u], axis=None)
np.concat([y, u], axis=None)
np.block([[y, y], [y, y]])                      np.block([u, v])        np.block([[u], [u]])
np.block([[y, y[:, :2]], [y[:1], y[:1, :2]]])   np.block(y)             np.block([x, x])
np.block([[s, s], [s, s]])                      np.block([[u, u], u])   np.block([[y], [x]])
np.block([[[y]], [[y]]])                        np.block([])            np.block([[y, w]])
np.concatenate(y)       np.concatenate(x, 1)    np.concatenate(x, axis=-1)                      np.concatenate(u)
np.stack(y)             np.stack(x, axis=2)     np.stack(y, -1)         np.stack(s)             np.concatenate(e)
np.vstack(y)            np.vstack(x)            np.hstack(y)            np.hstack(x)            np.hstack(s)
np.dstack(u)            np.dstack(y)            np.dstack(x)            np.dstack(p)            np.dstack(e)
np.column_stack(y)      np.column_stack(x)      np.column_stack(u)      np.column_stack(s)      np.stack(p, 1)[0]
np.append(y, w)         np.append(y, y, axis=1)  np.append(y, u, 0)      np.append(s, u)         np.append(y, x, axis=0)
np.meshgrid(u, v)[0]    np.meshgrid(u, v, indexing='ij')[1]             np.meshgrid(u)[0]        np.meshgrid(s, v)[1]
np.meshgrid(u, v, e[:, 0])[2]                   np.meshgrid(y, u)[0]    np.meshgrid(u, v, u[:2])[1]
np.meshgrid(u, v, indexing='ji')[0]             np.copy(y.T)            y.T.copy()               np.ascontiguousarray(y[:, ::-2])
np.fft.fftshift(y)      np.fft.fftshift(u[:3])  np.fft.ifftshift(x)     np.fft.ifftshift(x[..., :3], axes=(2, 1))
np.fft.fftshift(x, axes=-2)                     np.fft.fftshift(y, axes=(0, 0))          np.fft.fftshift(y, axes=2)
np.fft.fftshift(e)      np.fft.ifftshift(p[:, :, :, :5], 3)
np.broadcast_arrays(u[:, None], v)[0]           np.broadcast_arrays(u[:, None], v)[1]
np.broadcast_arrays(s, x)[0]                    np.broadcast_arrays(u, v)[0]
np.broadcast_arrays(x, u, s)[1]                 np.broadcast_arrays(e, e[:, :1])[1]

np.split(y, 3, axis=1)[1]                       np.split(y, 4, axis=1)[1]                np.split(y, 2)[-1]
np.split(y, [1, 3], axis=1)[2]                  np.split(y, (4, 2), 1)[1]                np.split(y, [-2], 1)[0]
np.split(y, 0)[0]       np.split(y, -1)[0]      np.split(s, 1)[0]       np.split(y, [9], 1)[1]
np.split(y, 2, axis=2)[0]                       np.split(y, 2, axis=-1)[1]               np.split(e, 3, 1)[2]
np.hsplit(y, 3)[1]      np.hsplit(v, 3)[1]      np.hsplit(s, 1)[0]      np.hsplit(y, [2])[1]
np.hsplit(y, 4)[0]      np.vsplit(y, 2)[1]      np.vsplit(u, 2)[1]      np.vsplit(y, [1, 2])[1]
np.dsplit(x, 2)[1]      np.dsplit(y, 2)[1]      np.dsplit(x, [1])[1]    np.dsplit(x, 3)[0]
np.array_split(y, 4, axis=1)[1]

np.transpose(x)         np.transpose(x, (2, 0, 1))                      np.transpose(x, (0, 1))
np.transpose(x, (0, 1, 3))                      np.transpose(x, axes=(-1, 0, 1))         np.transpose(s)
x.transpose()           x.transpose(2, 0, 1)    x.transpose((-1, 0, 1))
x.transpose([0, 2, 1])  p.transpose(3, 1, 2, 0)
y.transpose(1, 0)       y.transpose((0, 1))     u.transpose(0)          x.transpose(None)        x.transpose((0, 1))
x.transpose(0, 1, 1)    x.transpose(0, 1, 2, 3)                         s.transpose()            u.transpose(1)
np.transpose(p, (3, 0, 2, 1))
np.matrix_transpose(x)  np.matrix_transpose(u)  np.permute_dims(x, (1, 0, 2))
np.squeeze(x[:1])       np.squeeze(x[:1], 0)    np.squeeze(x, 0)        np.squeeze(x[:1, None], axis=(0, -3))
np.squeeze(x[:1], ())   np.squeeze(x[:1], (0, 0))                       np.squeeze(x[:1], (0, 1))        np.squeeze(x, 3)
np.rollaxis(p, 3, 1)    np.rollaxis(p, 2)       np.rollaxis(p, 1, 4)    np.rollaxis(p, -1, -3)
np.rollaxis(p, 0, 5)    np.rollaxis(p, 4)       np.rollaxis(p, 1, start=-4)              np.rollaxis(p, 2, 2)
np.swapaxes(x, 0, axis2=1)                      np.swapaxes(x, axis1=0, axis2=2)

np.reshape(y, (3, 8), order='F')                np.reshape(y, (3, -1), 'F')              np.reshape(y, -1, order='F')
np.reshape(x, (4, 3, 2), order='C')             np.reshape(x, (3, 7), order='F')         np.reshape(x, 24, 'C')
y.reshape(3, 8, order='F')                      y.reshape((8, 3), order='F')             y.T.reshape(2, -1, order='F')
y.ravel(order='F')      y.ravel('C')            np.ravel(x, 'F')        y.flatten('F')   x.flatten(order='C')
np.ravel(x, order='X')  y.reshape((2, -1, 3), order='F')                np.reshape(e, (3, 0), order='F')

np.roll(x, (1, 2))      np.roll(x, (5, -7, 3))  np.roll(u, ())          np.roll(x, 3)
np.roll(x, (1, 2), axis=(0, 2))

np.take(y, [1, 0, 3])   np.take(y, 5)           np.take(y, [[1, 2], [3, 4]])             np.take(y, [1, 1], axis=0)
np.take(y, [[0], [5]], axis=1)                  np.take(y, 2, axis=1)   np.take(y, -1)   np.take(y, 24)
np.take(y, [4], axis=0)  np.take(y, [], axis=1)  np.take(y, [6, -1, -7, 13], axis=1, mode='wrap')
np.take(y, [6, -1, -7, 13], axis=1, mode='clip')                        np.take(y, [1], axis=2)
y.take([3, 2])          y.take([3, 2], axis=1)  np.take(u, [[[0, 1]], [[2, 3]]])         np.take(y, [[1], [2, 3]])
np.take(e, [0], axis=0)  np.take(e, [], axis=0)  np.take(s, [0, 0])      np.take(y, indices=[2], axis=-1)

np.delete(y, 7)         np.delete(y, [1, -1, 1])  np.delete(y, 1, axis=0)  np.delete(y, [5, 0], axis=1)
np.delete(y, [True, False, True, False], 0)     np.delete(y, 6, axis=1)  np.delete(y, [], axis=0)  np.delete(e, 0, axis=1)
np.delete(y, [True, False], 0)                  np.delete(u, range(1, 3))                np.delete(x, -4, axis=1)
y[:, np.arange(6)[::-2]]  y[np.arange(1, 4)]    np.take(u, np.arange(0, 4, 3))
np.repeat(u, [0, 1, 2, 3])                      np.repeat(y, [1, 2, 0, 3], axis=0)       np.repeat(y, [1, 2], axis=0)
np.repeat(y, [2], axis=1)                       np.repeat(y, 2)         np.repeat(y, 3, axis=1)
np.repeat(y, [1, -1, 1, 1], axis=0)             np.repeat(u, (1, 1, 1, 1))               np.repeat(u, 0)
np.repeat(s, 3)         np.repeat(x, [2, 1, 3], 1)                      np.repeat(u, [0, 0, 0, 0])

np.lib.stride_tricks.sliding_window_view(u, 3)  np.lib.stride_tricks.sliding_window_view(y, (2, 3))
np.lib.stride_tricks.sliding_window_view(y, 3, axis=0)                  np.lib.stride_tricks.sliding_window_view(y, 3)
np.lib.stride_tricks.sliding_window_view(y, (2, 2), (1, 1))             np.lib.stride_tricks.sliding_window_view(u, 5)
np.lib.stride_tricks.sliding_window_view(x, (2, 2), axis=(-1, 0))       np.lib.stride_tricks.sliding_window_view(u, -1)

np.pad(y, {0: 1})       np.pad(y, {-1: (1, 2), 0: 1})                   np.pad(y, {})    np.pad(y, {2: 1})
np.pad(y, 1, constant_values=((1, 2), (3, 4)))  np.pad(y, 1, constant_values=(5, 6))     np.pad(y, 2, constant_values=7)
np.pad(y, ((0, 2), (1, 0)), 'constant', constant_values=((1, 2), (3, 4)))                np.pad(y, -1)
np.pad(y, 1, constant_values=((1,), (2,)))      np.pad(y, 1, constant_values=(1, 2, 3))  np.pad(s, 1)
np.pad(y, ((1, 2), (3, 4)), mode='edge')        np.pad(y, ((1, 2),), mode='wrap')        np.pad(y, (2,), 'edge')
np.pad(y, 1, 'reflect', reflect_type='even')    np.pad(y, 1, 'edge', reflect_type='even')
np.pad(y, 1, 'edge', constant_values=1)         np.pad(y, 1, 'empty', constant_values=1)         np.pad(y, 1, 'nonsense')                 np.pad(y, ((1, 2), (3, 4), (5, 6)))
np.pad(e, 1)            np.pad(e, 1, 'edge')    np.pad(e, ((0, 0), (2, 2)), 'wrap')
"""

# NumPy's indices; "x[[0, 1], :, 1]" is one that PyTorch understands alike.
LISTS = """
y[[0, 1, 3], [5, 0, 2]]  y[[0, 1], [1]]          y[[[0, 1], [2, 3]]]     y[[[0], [2]], [1, 5]]    y[[-1, -4], [-6, 5]]
y[[0, 1], [1, 2, 3]]    y[[0, 4], [0, 0]]       y[[0, 0], [0, 6]]       y[:, [[1, 2, 3]]]        y[[[3, 2, 1]]]
x[[0, 1], [2, 0]]       x[:, [2, 0], [3, 1]]    x[[0, 1], :, [3, 1]]    x[[0, 1], [2, 0], [3, 1]]
x[[1], [[0], [2]], [3, 1]]                      x[..., [2, 0], [3, 1]]  x[[0, 1], ..., [3, 1]]   x[None, [0, 1], [1, 2]]
x[[0, 1], None, [1, 2]]  x[[0, 1], [1, 2], None]  x[0, [1, 2], [3, 0]]    x[[0, 1], 2, [3, 0]]     x[[0, 1], [2, 0], 1]
x[[0, 1], :, 1]         x[[[0, 1]], :, 1]       x[[0, 1], 1:, ::2]      x[1:, [[0, 1], [1, 2]]]  x[:, [[0, 1]], None]
p[:, [0, 2], [1, 4]]    p[:, [0, 2], :, [1, 4]]  p[[0, 1], [0, 2], 1:3, ::-1]                     p[:, [0, 2], 1:, [1, 4]]
p[..., [[0], [1]], [2, 3, 5]]                   p[:, 0, [1, 2], [3, 3]]  p[0, ..., 1]             p[[0, 1], [[[1]]], [[2], [3]]]
y.T[[5, 0, 2], [0, 1, 3]]                       y[::-1, ::2][[0, 3], [2, 0]]                     y[[], []]
y[np.ix_([0, 2], [5, 1, 1])]                    x[np.ix_([1, 0], [2], [0, 3])]                   x[np.ix_([1], [0, 2])]
y[[[]]]                  y[[[0], []]]
y[[[1, 2], [3, 0]], [[0, 1], [2, 3]]]           y[(0, 1), (1, 2)]       y[((0, 1), (1, 2))]      y[[0, 1], [1, 2], [0, 0]]
y[[True, False, True, True]]                    y[:, [False] * 6]       y[[True, False]]         y[:, [True, False] * 3]
y[[True, False, True, False], [1, 2]]           y[[True, False, True, True], [1, 2]]             y[[False] * 4]
x[..., [True, False, False, True]]              x[0, [True, False, True], 1]
e[[], [0]]              e[[0], [0]]             s[[0]]                  u[[3], None]             u[[[[0, 1], [2, 3]]]]
"""

TORCH = """
torch.atleast_1d(s)     torch.atleast_2d(u)     torch.atleast_3d(y)     torch.atleast_3d([u, y])[1]
torch.atleast_2d(s, u)[0]                       torch.dstack((u, u))    torch.dstack([y, y])
torch.column_stack([u, u])                      torch.column_stack((u, y))
torch.row_stack([u, u])  torch.concatenate([y, y], axis=1)
torch.broadcast_tensors(u[:, None], v)[0]       torch.broadcast_tensors(x, u)[1]         torch.broadcast_tensors(u, v)[0]
torch.hsplit(y, 3)[1]   torch.hsplit(y, 4)[1]   torch.vsplit(y, [1])[1]  torch.dsplit(x, 2)[1]
y.hsplit([1, 3])[1]     u.vsplit(2)[0]          x.dsplit([1])[0]        u.hsplit(2)[1]
y.H                     y.mH                    x.mH                    x.H              u.mH
x.adjoint()             torch.adjoint(y)        u.adjoint()             s.mH    s.H             u.H
y.view_as(w)            y.reshape_as(w)         y.T.view_as(y)          y.T.reshape_as(y)
y[:, :1].expand_as(y)   y.expand_as(x)          u.expand_as(w)          y.reshape_as(x)  x.view_as(y)
torch.repeat_interleave(u, torch.tensor([0, 1, 2, 3]))                  y.repeat_interleave(torch.tensor([2]), dim=1)
y.repeat_interleave(torch.tensor([1, 2, 0, 3]), 0)                      y.repeat_interleave(torch.tensor([1, 2]), 0)
torch.repeat_interleave(u, torch.tensor([0, 1, 2, 3]), output_size=6)   torch.repeat_interleave(u, torch.tensor([0, 1, 2, 3]), output_size=7)
torch.block_diag(y, u, s)                       torch.block_diag(x)     torch.block_diag(e, y)  torch.block_diag(y)
torch.split_with_sizes(y, [1, 3])[1]            y.split_with_sizes((1, 2, 3), 1)[2]             y.split_with_sizes((1, 2))[0]
torch.take(y, torch.tensor([3, 1]))             y.take(torch.tensor([[3, 1], [0, -1]]))
x.swapaxes(0, axis1=1)  torch.cat([e[:, 0], e[:, 0]], dim=1)            torch.moveaxis(p, 1, 3)

torch.meshgrid(u, v)[0]  torch.meshgrid(u, v, indexing='xy')[1]          torch.meshgrid([u, s])[1]  torch.meshgrid(y, u)[0]
torch.channel_shuffle(p.permute(1, 2, 3, 0), 5)  torch.channel_shuffle(p, 3)             F.channel_shuffle(x.transpose(1, 2), 2)
torch.channel_shuffle(p, 2)                     torch.channel_shuffle(y, 2)              torch.channel_shuffle(p, 0)
torch.fft.fftshift(y)   torch.fft.fftshift(y, dim=1)                    torch.fft.ifftshift(x[:, :, :3], (0, 2))
torch.clone(y)          y.T.clone()             x[:, torch.arange(0, 3, 2)]

F.interpolate(p, scale_factor=2)                F.interpolate(p, (7, 9))                 F.interpolate(p, size=11, mode='nearest')
F.interpolate(p, scale_factor=(1.5, 0.7))       F.interpolate(p, scale_factor=3)         F.interpolate(x, 49)
F.interpolate(p, scale_factor=0.5)              F.interpolate(p, (3, 2), mode='nearest-exact')           F.interpolate(p, (13, 4), None, 'nearest-exact')
F.interpolate(p, scale_factor=2.3, mode='nearest-exact')                F.interpolate(p[:, :, None], scale_factor=2)
F.interpolate(y, 3)     F.interpolate(p)        F.interpolate(p, 3, 2)  F.interpolate(p, 0)      F.interpolate(p, (2, 3, 4))
F.interpolate(x[:, :, :3], 147)                 F.interpolate(x[:, :1, :1], 49)          F.interpolate(p, scale_factor=-1.0)
F.interpolate(x, scale_factor=(2,))             F.interpolate(x[:, :, :1].expand(2, 3, 30), 210)

F.unfold(p, 2)          F.unfold(p, (2, 3))     F.unfold(p, 3, padding=1)                F.unfold(p, 2, stride=2)
F.unfold(p, 3, dilation=2, padding=2)           F.unfold(p, (3, 2), 1, (1, 0), (2, 1))   F.unfold(x, 2)
F.unfold(p, 7)          F.unfold(p, 2, stride=0)                        F.unfold(y, 2)   F.unfold(p, kernel_size=(5, 6))
F.unfold(p, 2, padding=(1, 2), stride=(3, 2), dilation=(2, 1))          F.unfold(p, 1)

F.fold(F.unfold(p, 1), (5, 6), 1)               F.fold(F.unfold(p, (5, 3), stride=(5, 3)), (5, 6), (5, 3), stride=(5, 3))
F.fold(F.unfold(p, 2, stride=2), (5, 6), 2, stride=2)                   F.fold(F.unfold(p, 2, stride=3), (5, 6), 2, stride=3)
F.fold(F.unfold(p, 2, padding=1, stride=2), (5, 6), 2, padding=1, stride=2)
F.fold(F.unfold(p, 2, dilation=2, stride=3), (5, 6), 2, dilation=2, stride=3)
F.fold(F.unfold(x, (1, 2), stride=(1, 2)), (3, 4), (1, 2), stride=(1, 2))
F.fold(F.unfold(p, 5, dilation=1), (5, 6), 5, stride=5)                 F.fold(F.unfold(p, (5, 6)), (5, 6), (5, 6))
F.fold(F.unfold(p, 2, stride=2), (6, 6), 2, stride=2)                   F.fold(p, 2, 2)
"""

EINOPS = """
einops.repeat(y, 'h w -> h w c', c=3)           einops.repeat(y, 'h w -> (h 2) (w 3)')  einops.repeat(y, 'h w -> r h w', r=2)
einops.repeat(y, 'h w -> (h r) (q w)', r=2, q=3)                                        einops.repeat(u, 'w -> 1 w 1')
einops.repeat(x, 'a ... -> a b ...', b=2)       einops.repeat(y, '(h a) w -> a (w b) h', a=2, b=2)
einops.repeat(y, 'h w -> h w c')                einops.repeat(y, 'h w -> w', c=1)       einops.repeat(y, 'h w -> h w c', c=0)
einops.repeat(s, '-> 3 2')                      einops.repeat(y, 'h w -> h w c', c=3, d=2)
einops.repeat([y, y], 'n h w -> (n r) w h', r=2)                                        einops.repeat(y, 'h w -> h w 2 2')
einops.rearrange([y, y], 'n h w -> h n w')      einops.rearrange([y, y, y], 'n (a b) w -> (n a) b w', a=2)
einops.rearrange(y, 'h w -> w h')               einops.rearrange([y, w], 'n h w -> h n w')
einops.pack([y, y], 'h *')[0]                   einops.pack([y, x], '* d')[0]           einops.pack([u, s], '*')[0]
einops.pack([y, y.T[:4]], 'h *')[0]             einops.pack([y[:, :4], x], '* d')[0]    einops.pack([p, p[:, 0]], 'n * w')[0]
einops.pack([p, y], 'n * w')[0]                 einops.pack([y, u], 'a * b')[0]         einops.pack([y], 'a b')[0]
einops.pack([y, y], '_h *')[0]                  einops.pack([y, y], 'h_ *')[0]          einops.pack([y, x], 'h h *')[0]
einops.unpack(y, [(2,), (2, 2)], 'h *')[1]      einops.unpack(y, [(1,), (), (-1,)], 'h *')[2]
einops.unpack(y, [[2], [-1, 2]], '* w')[1]      einops.unpack(y, [(2,), (3,)], 'h *')[1]                einops.unpack(y, [()], '* w')[0]
einops.unpack(y, [(-1,), (-1,)], 'h *')[0]      einops.unpack(*einops.pack([y[:, :4], x], '* d'), '* d')[1]
einops.unpack(y, [(), (), (2, 1)], '* w')[2]    einops.unpack(y, [(7,)], 'h *')[0]
"""

# Beyond NumPy's and PyTorch's own: refused here with a reason, though they answer.
REFUSED = {
    "np.pad(y, 1, 'mean')": "computes its values",
    "np.pad(y, 1, 'reflect', reflect_type='odd')": "2 \\* edge - value",
    "x[0, :, [1, 2]]": "index twice",
    "y[[True, 1, 0, 0]]": "not both",
    "np.ravel(y, order='K')": "how the elements lie",
    "F.fold(F.unfold(p, 2), (5, 6), 2)": "overlap",
    "F.interpolate(p, 3, mode='bilinear')": "computes its values",
}


def pads():
    """Every mode, width and extent, within the extent and beyond it."""
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        for before, after, n in itertools.product((0, 1, 2, 3, 4, 7, 11), (0, 1, 5, 8), (1, 2, 3, 4)):
            yield f"np.pad(v[:{n}], ({before}, {after}), '{mode}')"
        yield f"np.pad(y, ((3, 5), (7, 1)), '{mode}')"
        yield f"np.pad(x, 9, '{mode}')[::2, 1]"


def lines(text):
    return [call for line in text.splitlines() for call in line.replace("\t", "  ").split("  ") if call.strip()]


def answer(evaluate):
    try:
        return np.asarray(evaluate()), None
    except Exception as error:  # pylint: disable=broad-except
        return None, error


class Module:
    """A module of others, with the functions that ours has under the same names."""

    def __init__(self, prefix):
        self.prefix = prefix

    def __getattr__(self, name):
        if name in OTHERS or FUNCTIONS.get(name) not in ("", self.prefix):
            raise NotImplementedError(name)
        return getattr(vf, name)


# Names that ours has for an operation, and np. or torch. for another.
OTHERS = {"meshgrid", "split", "pad", "repeat", "transpose", "squeeze"}
FUNCTIONS = {row[0]: row[1] for row in vf._viewfold._composed() if row[5]}
OURS = {"np": Module("np."), "torch": Module(""), "F": Module("F."), "einops": Module("einops."),
        **{name: vf.asarray(array) for name, array in ARRAYS.items()}}


def in_python(call):
    """The call as Python's, with our functions; None where one of them has no such form."""
    ours, error = answer(lambda: eval(call, OURS))  # pylint: disable=eval-used
    return None if isinstance(error, (NotImplementedError, AttributeError)) else (ours, error)


CALLED = []


def complaint(call, names):
    theirs, refused = answer(lambda: eval(call, names))  # pylint: disable=eval-used
    if isinstance(refused, SyntaxError):
        return str(refused)
    wrong = difference(theirs, refused, *answer(lambda: vf.evaluate(call, **ARRAYS).numpy()))
    called = in_python(call)
    if wrong or not called:
        return wrong
    CALLED.append(call)
    wrong = difference(theirs, refused, *called)
    return wrong and "in Python: " + wrong


def difference(theirs, refused, ours, error):
    if refused and error:
        return None if isinstance(error, (ValueError, IndexError, TypeError)) and str(error) else repr(error)
    if refused or error:
        return f"refused: {error}" if error else f"not refused, as there: {refused}"
    if theirs.shape != ours.shape:
        return f"shape {ours.shape}, not {theirs.shape}"
    return None if theirs.tobytes() == ours.tobytes() else f"{ours.tolist()}, not {theirs.tolist()}"


def compare(who, calls, names):
    failures = 0
    for call in calls:
        wrong = complaint(call.strip(), names)
        failures += wrong is not None
        if wrong and failures <= 20:
            print(f"{who}: {call.strip()}: {wrong}")
    print(f"{len(calls)} calls beside {who}'s: {failures} differ")
    return failures == 0 and len(calls) > 0


def refuse():
    """What is refused on purpose says why."""
    failures = 0
    for call, reason in REFUSED.items():
        _, error = answer(lambda: vf.evaluate(call, **ARRAYS))
        if not error or not re.search(reason, str(error)):
            failures += 1
            print(f"{call}: {error}, without '{reason}'")
    return failures == 0


def main():
    warnings.simplefilter("ignore")
    good = refuse()
    if np.lib.NumpyVersion(np.__version__) >= "2.2.0":  # np.pad's wrap and dict are newer than others have
        good = compare("NumPy", lines(NUMPY) + list(pads()), {"np": np, **ARRAYS})
        good = compare("NumPy", lines(LISTS), {"np": np, **ARRAYS}) and good
    if einops:
        good = compare("einops", lines(EINOPS), {"einops": einops, **ARRAYS}) and good
    if torch:
        tensors = {name: torch.from_numpy(array) for name, array in ARRAYS.items()}
        good = compare("PyTorch", lines(TORCH), {"torch": torch, "F": torch.nn.functional, **tensors}) and good
    print(f"{len(CALLED)} of them as Python's too")
    return 0 if good and len(CALLED) > 100 else 1


if __name__ == "__main__":
    sys.exit(main())
