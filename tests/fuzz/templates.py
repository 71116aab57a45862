"""How each op comes into a random graph: a template takes a growth, makes operands that the op
accepts, and adds what it gives. Templates of inference come only into graphs that do not train."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from meganeura import Graph, TensorType, Value
from meganeura.ops.attention import Attention, AttentionGrad, AttentionGradBias
from meganeura.ops.conv import Conv2d, Conv2dGradInput, Conv2dGradWeight
from meganeura.ops.index import Prefix
from meganeura.ops.leaf import Band
from meganeura.ops.matmul import MatmulBySums
from meganeura.ops.optimizer import AdamStep, MovingAverage, MovingSquare
from meganeura.ops.pool import MaxPool2dGrad, MaxPool2dIndex
from meganeura.ops.window import Window
from tests.fuzz.generate import Growth, Made

UNARY = (
    *("neg", "abs", "sign", "exp", "log", "sqrt", "rsqrt", "recip", "sin", "cos", "erf"),
    *("relu", "sigmoid", "tanh", "silu", "gelu", "gelu_erf"),
)
ROOTS = ("log", "sqrt", "rsqrt", "recip")
BINARY = (
    *("add", "sub", "mul", "div", "pow", "maximum", "minimum", "greater", "greater_equal"),
    *("equal", "swiglu", "add", "mul", "sub"),
)


# Elements


def unary(t: Growth) -> Value:
    name, x = t.random.choice(UNARY), t.value()
    if name in ROOTS and t.chance(0.8):
        x = t.graph.abs(x) + 0.1
    if name == "exp" and t.chance(0.7):
        x = t.graph.minimum(x, 3.0)
    return getattr(t.graph, name)(x)


def partner(t: Growth, x: Value, positive: bool = False) -> Value | float:
    """What ``x`` broadcasts with."""
    if t.chance(0.2):
        number = t.literal()
        return abs(number) + 0.1 if positive else number
    if t.chance(0.1) and not positive:
        return x
    shape = [1 if t.chance(0.3) else n for n in x.shape]
    return t.fit(shape[t.random.randint(0, len(shape)) if t.chance(0.2) else 0 :], positive)


def binary(t: Growth) -> Value:
    name, x = t.random.choice(BINARY), t.value()
    positive = name in ("div", "pow") and t.chance(0.8)
    if name == "pow":
        x = t.graph.abs(x) + 0.1 if positive else x
        y = t.random.choice((2.0, 0.5, -1.0, 1.0, 3.0, 0.0)) if t.chance(0.5) else partner(t, x)
        return t.graph.pow(x, y)
    operands = [x, partner(t, x, positive)]
    if t.chance(0.3) and not positive:
        operands.reverse()
    if not any(isinstance(o, Value) for o in operands) or name == "swiglu":
        operands = [o if isinstance(o, Value) else t.graph.number(o) for o in operands]
    return getattr(t.graph, name)(*operands)


def expression(t: Growth) -> Value:
    """A few numbers and operators on one value: what algebra rewrites."""
    x = t.value()
    for _ in range(t.random.randint(2, 4)):
        c = t.literal()
        x = t.random.choice(
            (
                lambda x, c: x * c,
                lambda x, c: x + c,
                lambda x, c: c - x,
                lambda x, c: x / (c if c else 1.0),
                lambda x, c: -x,
                lambda x, c: c / (t.graph.abs(x) + 1.0),
                lambda x, c: x - t.graph.sum(x, -1, keep=True) * 0.1 if x.shape else x,
            )
        )(x, c)
    return x


def where(t: Growth) -> Value:
    x = t.value()
    condition = t.graph.greater(x, partner(t, x))
    return t.graph.where(condition, partner(t, x), x)


def optimizer_step(t: Growth) -> Value:
    p = t.value()
    if t.chance(0.5):
        op = t.random.choice((MovingAverage, MovingSquare))(t.random.choice((0.9, 0.5)))
        return t.graph.emit(op, p, t.fit(p.shape))
    m, v = t.fit(p.shape), t.fit(p.shape, positive=True)
    numbers = [t.fit([], positive=True, fresh=0.9) for _ in range(3)]
    return t.graph.emit(AdamStep(1e-3, t.random.choice((0.0, 0.5))), p, m, v, *numbers)


# Reductions


def reduction(t: Growth) -> Value:
    x, g = t.value(), t.graph
    if t.chance(0.1) or not x.shape:
        return t.random.choice((g.sum_all, g.mean_all))(x)
    axes = t.random.sample(range(len(x.shape)), t.random.randint(1, len(x.shape)))
    return t.random.choice((g.sum, g.mean, g.max))(x, sorted(axes), t.chance(0.4))


def rows(t: Growth, rank: int | None = None) -> Value:
    """A value of rank two or more, as it is or in a new shape."""
    x = t.value()
    if rank is None and len(x.shape) >= 2 and t.chance(0.6):
        return x
    return t.fit(t.shape(rank or t.random.choice((2, 2, 3, 4))))


def norm(t: Growth) -> Value:
    x, g, eps = rows(t), t.graph, t.random.choice((1e-5, 1e-3, 0.1))
    if t.chance(0.4):
        c = x.shape[1]
        groups = t.random.choice([i for i in range(1, c + 1) if c % i == 0])
        return g.group_norm(x, t.weight([c]), t.weight([c]), num_groups=groups, eps=eps)
    width = x.shape[-1:]
    if t.chance(0.5):
        return g.rms_norm(x, t.weight(width), eps)
    return g.layer_norm(x, t.weight(width), t.weight(width), eps)


def softmax(t: Growth) -> Value:
    return t.random.choice((t.graph.softmax, t.graph.log_softmax))(rows(t))


def loss(t: Growth) -> Value:
    g = t.graph
    match t.random.randrange(5):
        case 0:
            x = rows(t)
            return g.cross_entropy_loss(x, t.fit(x.shape))
        case 1:
            x = rows(t)
            return g.cross_entropy_loss(x, t.indices(x.shape[:-1], x.shape[-1]))
        case 2:
            x = t.value()
            return g.bce_loss(g.sigmoid(x), t.fit(x.shape))
        case 3:
            x = t.value()
            return g.mse_loss(x, t.fit(x.shape))
    x = t.value()
    return g.l1_loss(x, t.fit(x.shape))


# Products


def matmul(t: Growth) -> Value:
    m, k, n = (t.size() for _ in range(3))
    batch = list(t.shape(t.random.choice((0, 0, 1, 2))))
    while prod(batch) * max(m * k, k * n, m * n) > 3 * t.most:
        batch, m, k, n = batch[1:], -(-m // 2), -(-k // 2), -(-n // 2)
    left = [1 if t.chance(0.2) else b for b in batch][t.random.choice((0, 0, 0, len(batch))) :]
    right = [1 if t.chance(0.2) else b for b in batch][t.random.choice((0, 0, 0, len(batch))) :]
    g = t.graph
    match t.random.randrange(5):
        case 0:
            return g.matmul_at(t.fit([*left, k, m]), t.fit([*right, k, n]))
        case 1:
            return g.matmul_bt(t.fit([*left, m, k]), t.fit([*right, n, k]))
        case 2:
            return g.emit(MatmulBySums(), t.fit([*left, m, k]), t.weight([*right, k, n]))
    return g.matmul(t.fit([*left, m, k]), t.weight([*right, k, n]))


def window(t: Growth) -> tuple[Window, tuple[int, int]]:
    """A walk and the size of its window; the axes often differ."""

    def two(*choices: int) -> tuple[int, int]:
        a = t.random.choice(choices)
        return a, a if t.chance(0.6) else t.random.choice(choices)

    if t.chance(0.25):  # one that may go by tiles
        return Window((1, 1), two(0, 1, 2)), (3, 3)
    if t.chance(0.2):  # one tap that skips pixels
        return Window(two(2, 3), two(0, 0, 1)), (1, 1)
    kernel = two(1, 1, 2, 3, 3, 5)
    dilation = (1, 1) if t.chance(0.7) else two(1, 2, 3)
    return Window(two(1, 1, 2, 3), two(0, 0, 1, 2), dilation), kernel


def image_size(t: Growth, walk: Window, kernel: tuple[int, int]) -> tuple[int, int]:
    """Height and width in which the window fits."""
    spans = zip(kernel, walk.dilation, walk.padding, strict=True)
    least = [d * (k - 1) + 1 - 2 * p for k, d, p in spans]
    height, width = (max(n, t.size(17), 1) for n in least)
    return height, width if t.chance(0.8) else max(width, t.size())


def conv(t: Growth) -> Value:
    walk, kernel = window(t)
    height, width = image_size(t, walk, kernel)
    groups = t.random.choice((1, 1, 1, 2, 3, 4))
    inner, outer = t.random.choice((1, 1, 2, 3, 5, 8)), t.random.choice((1, 1, 2, 3, 7, 16))
    if groups > 1 and t.chance(0.5):
        inner, outer = 1, t.random.choice((1, 1, 2))
    batch = t.random.choice((1, 1, 2, 3))
    image = (batch, groups * inner, height, width)
    if prod(image) > 3 * t.most:
        image = (1, groups * inner, height, width)
    return of_conv(t, walk, kernel, groups, image, (groups * outer, inner, *kernel))


def of_conv(t: Growth, walk: Window, kernel, groups: int, image, weights) -> Value:
    """A convolution, or one of its gradients by itself, with images in any order of axes."""
    g = t.graph
    settings = dict(stride=walk.stride, padding=walk.padding, dilation=walk.dilation, groups=groups)
    plain = walk.stride == walk.dilation == (1, 1) and kernel == (3, 3) and groups == 1
    tile = {"tile": t.random.choice((0, 2, 4))} if plain and t.chance(0.5) else {}
    outputs = (image[0], weights[0], *walk.outputs(image[2:], kernel))
    match t.random.randrange(5):
        case 0:
            op = Conv2dGradInput(**settings, **tile, size=image[2:])
            return channels(t, g.emit(op, images(t, outputs), t.weight(weights)))
        case 1:
            op = Conv2dGradWeight(**settings, **tile, kernel=kernel)
            return g.emit(op, images(t, image), images(t, outputs))
    y = g.emit(Conv2d(**settings, **tile), images(t, image), t.weight(weights))
    if t.chance(0.3):
        y = y + g.reshape(t.weight([weights[0]]), [1, -1, 1, 1])
    return channels(t, y)


def images(t: Growth, shape) -> Value:
    """Images, sometimes with their channels last in memory."""
    n, c, h, w = shape
    if t.chance(0.25):
        return t.graph.permute(t.fit((n, h, w, c)), [0, 3, 1, 2])
    return t.fit(shape)


def channels(t: Growth, x: Value) -> Value:
    """What reads images with their channels last, or by channel."""
    g = t.graph
    match t.random.randrange(5):
        case 0:
            return g.relu(g.permute(x, [0, 2, 3, 1]))
        case 1:
            last = g.permute(x, [0, 2, 3, 1])
            return g.reshape(last, [-1, x.shape[1]]) @ t.weight([x.shape[1], t.size(9)])
        case 2:
            return g.softmax(g.permute(x, [0, 2, 3, 1]))
    return x


def pool(t: Growth) -> Value:
    walk, kernel = window(t)
    padding = tuple(min(p, k // 2) for p, k in zip(walk.padding, kernel, strict=True))
    walk = Window(walk.stride, padding)
    height, width = image_size(t, walk, kernel)
    x = images(t, (t.random.choice((1, 1, 2)), t.random.choice((1, 2, 3, 4)), height, width))
    sizes = (kernel, walk.stride, padding)
    g = t.graph
    match t.random.randrange(6):
        case 0 | 1:
            return channels(t, g.avg_pool_2d(x, *sizes))
        case 2:
            return g.emit(MaxPool2dIndex(*sizes), x)
        case 3 if not t.training:
            index = g.emit(MaxPool2dIndex(*sizes), x)
            return g.emit(MaxPool2dGrad(*sizes, (height, width)), t.fit(index.shape), index)
    return channels(t, g.max_pool_2d(x, *sizes))


def image_layout(t: Growth) -> Value:
    x, g = images(t, t.shape(4)), t.graph
    match t.random.randrange(3):
        case 0:
            return g.global_avg_pool(x)
        case 1 if x.ty.num_elements() * 4 < 3 * t.most:
            return channels(t, g.upsample_2x(x))
    n, c, h, w = x.shape
    other = t.random.randint(1, 3)
    flat = g.concat(g.reshape(x, [-1]), t.fit([n * other * h * w]), n, c, other, h * w)
    return g.reshape(flat, (n, c + other, h, w))


# Indices and sequences


def lookup(t: Growth) -> Value:
    g, vocab, width = t.graph, t.size(17), t.size()
    match t.random.randrange(4):
        case 0:
            return g.embedding(
                t.indices(t.shape(t.random.choice((1, 2)))[:2], vocab), t.fit([vocab, width])
            )
        case 1:
            count = t.size()
            return g.scatter_add(t.indices([count], vocab), t.fit([count, width]), vocab)
        case 2:
            return g.one_hot(t.indices(t.shape(1), vocab), vocab) * t.weight([vocab])
    return g.emit(Prefix(vocab), t.indices([1], vocab)) * t.fit([vocab])


def band(t: Growth) -> Value:
    shape = t.shape(2)
    below, above = t.random.randrange(4), t.random.randrange(3)
    return t.fit(shape) * t.graph.emit(Band(below, above, TensorType.f32(shape)))


def rope(t: Growth) -> Value:
    batch, heads, half = t.random.choice((1, 1, 2)), t.random.choice((1, 2, 3)), t.size(8)
    x = t.fit([batch * t.size(17), heads * half * 2])
    g, theta = t.graph, t.random.choice((100.0, 10_000.0, 0.5))
    match t.random.randrange(3):
        case 0:
            return g.rope_with_offset(x, theta, t.size(), 2 * half, batch=batch)
        case 1:
            return g.rope_dynamic_offset(x, theta, t.indices([1], 50), 2 * half, batch=batch)
    return g.rope(x, theta, 2 * half, batch=batch)


def attention(t: Growth) -> Value:
    kv, shared, dim = t.random.choice((1, 2)), t.random.choice((1, 1, 2)), t.size(17)
    batch, queries, keys = t.random.choice((1, 1, 2)), t.size(17), t.size(17)
    causal = t.chance(0.5)
    keys = queries if causal else keys
    heads = kv * shared
    form = dict(batch=batch, causal=causal)
    if causal and t.chance(0.4):
        form["window"] = t.random.choice((1, 2, 5))
    q = t.fit([batch * queries, heads * dim])
    k = q if shared == 1 and queries == keys and t.chance(0.1) else t.fit([batch * keys, kv * dim])
    operands = [q, k, k if t.chance(0.1) else t.fit([batch * keys, kv * dim])]
    if t.chance(0.3):
        full = (batch, heads, queries, keys)
        operands.append(t.fit([1 if t.chance(0.3) else n for n in full][t.random.randrange(3) :]))
    op = Attention(heads, kv, dim, **form)
    packed = t.graph.emit(op, *operands)
    if t.training or t.chance(0.6):
        return packed if t.chance(0.15) else op.result(packed, q)
    gradient = AttentionGradBias if len(operands) == 4 and t.chance(0.5) else AttentionGrad
    settings = (heads, kv, dim)
    return t.graph.emit(gradient(*settings, **form), t.fit(packed.shape), packed, *operands)


# Inference


def cache(t: Growth) -> Value:
    """A cache that is written at a place, and attended to."""
    g, batch, length = t.graph, t.random.choice((1, 1, 2)), t.size(17)
    kv, shared, dim = t.random.choice((1, 2)), t.random.choice((1, 2)), t.size(17)
    at = t.indices([1], length)
    caches = []
    for _ in range(2):
        name = t.name(t.array([batch * length, kv * dim]))
        state = g.state(name, [batch * length, kv * dim])
        g.cache_write(t.fit([batch, kv * dim]), state, at, batch=batch)
        caches.append(state)
    if t.chance(0.3):
        return caches[0] + caches[1]
    q = t.fit([batch, kv * shared * dim])
    return g.cached_attention(q, *caches, at, kv * shared, kv, dim, batch=batch)


def state(t: Growth) -> Value:
    """A state that becomes something else after the step."""
    g, shape = t.graph, t.shape(t.random.choice((1, 2)))
    kept = g.state(t.name(t.array(shape)), shape)
    new = t.fit(shape)
    g.set_update(kept, t.random.choice((kept * 0.5 + new, new, kept + 1.0, -kept)))
    return g.stop_gradient(kept)


def layout(t: Growth) -> Value:
    return t.view(t.view(t.value()))


TEMPLATES: tuple[tuple[Callable[[Growth], Value], int], ...] = (
    (unary, 8),
    (binary, 8),
    (expression, 4),
    (where, 2),
    (optimizer_step, 2),
    (reduction, 6),
    (norm, 4),
    (softmax, 3),
    (loss, 3),
    (matmul, 6),
    (conv, 10),
    (pool, 5),
    (image_layout, 3),
    (lookup, 4),
    (band, 1),
    (rope, 3),
    (attention, 4),
    (layout, 4),
    (state, 1),
)
INFERENCE = ((cache, 5),)


def grow(
    seed: int, graph: Graph, training: bool, finite: bool
) -> tuple[Growth, list[Value], Value | None]:
    """One random graph, in ``graph``: its growth, its outputs, and in training its loss."""
    t = Growth(seed, graph, training, finite)
    pairs = TEMPLATES if training else TEMPLATES + INFERENCE
    templates, weights = zip(*pairs, strict=True)
    for template in t.random.choices(templates, weights, k=t.random.choice((1, 1, 2, 2, 3, 4, 6))):
        t.add(template(t))
    outputs = [t.values[-1]]
    for _ in range(t.random.choice((0, 0, 1, 2))):
        x = t.random.choice(t.values)
        outputs.append(t.view(x) if t.chance(0.3) else x)
    if t.chance(0.05):
        outputs.append(t.leaf(t.shape(2)))
    total = None
    for x in outputs if training else ():
        weighted = x
        if t.chance(0.8):
            weighted = x * graph.input(t.name(t.array(x.shape)), x.shape)
        part = graph.sum_all(weighted)
        total = part if total is None else total + part
    return t, outputs, total


def make(seeds: tuple[int, ...], training: bool, finite: bool = False) -> Made:
    """Independent graphs side by side in one, so that a compiler's time is shared."""
    graph = Graph()
    feeds, outputs, losses = {}, [], []
    for seed in seeds:
        t, found, loss = grow(seed, graph, training, finite)
        feeds |= t.feeds
        outputs += found
        losses += [] if loss is None else [loss]
    if training:
        total = losses[0]
        for part in losses[1:]:
            total = total + part
        outputs.insert(0, total)
    graph.set_outputs(outputs)
    return Made(graph, feeds, training, seeds, finite)
