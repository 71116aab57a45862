"""Arguments checked against annotations, in one place.

A public function says in its signature what it takes; `checked` holds callers to it. So a mistyped
call is told in our words, at the user's line, and no function has to look at its arguments itself.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import inspect
import typing
from collections.abc import Callable, Mapping
from functools import wraps
from numbers import Integral, Real
from types import UnionType
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from .dtypes import Array
from .errors import GraphError, MeganeuraError

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

Converters = Mapping[Any, Callable[[Any], Any]]

_ARRAY_LIKE = set(typing.get_args(ArrayLike))

UNFIT = object()
"""What `fit` gives where a value does not fit."""


def fit(value: Any, hint: Any, converters: Converters | None = None) -> Any:
    """``value`` as the annotation ``hint`` wants it, or `UNFIT`.

    A number of NumPy's is a number, a list is a tuple; a truth value is not a number. Types in
    ``converters`` are left to them; annotations this does not know fit anything."""
    converters = converters or {}
    if isinstance(hint, TypeVar):
        hint = hint.__bound__ or Any
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint in converters:
        return converters[hint](value)
    if origin in (typing.Union, UnionType):
        is_array_like = set(args) >= _ARRAY_LIKE  # what NumPy takes is looked at where it is used
        return value if is_array_like else _fit_union(value, args, converters)
    if hint in (int, float):
        return _fit_number(value, hint)
    if origin in (tuple, collections.abc.Sequence):
        return _fit_list(value, origin, args, converters)
    kind = type(None) if hint is None else origin or hint
    if isinstance(kind, type):
        return value if isinstance(value, kind) else UNFIT
    return value


def _fit_number(value: Any, hint: type) -> Any:
    wanted = Integral if hint is int else Real
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, wanted):
        return UNFIT
    try:
        return hint(value)
    except OverflowError:  # a whole number beyond any float
        return UNFIT


def _fit_union(value: Any, args: tuple[Any, ...], converters: Converters) -> Any:
    if value is None and type(None) in args:
        return None
    # What a converter makes of a value is better than what another alternative would.
    ordered = sorted(args, key=lambda arg: arg not in converters)
    fits = (fit(value, arg, converters) for arg in ordered)
    return next((fitted for fitted in fits if fitted is not UNFIT), UNFIT)


def _fit_list(value: Any, origin: Any, args: tuple[Any, ...], converters: Converters) -> Any:
    is_array = isinstance(value, np.ndarray) and value.ndim > 0
    if not is_array and not isinstance(value, (tuple, list, range)):
        return UNFIT
    items = tuple(value)
    any_length = origin is not tuple or args[-1] is Ellipsis
    hints = [args[0]] * len(items) if any_length else list(args)
    if len(hints) != len(items):
        return UNFIT
    fitted = tuple(fit(v, h, converters) for v, h in zip(items, hints, strict=True))
    return UNFIT if any(f is UNFIT for f in fitted) else fitted


def describe(hint: Any) -> str:
    """An annotation in words."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, UnionType):
        return " or ".join(describe(arg) for arg in args if arg is not type(None))
    if origin in (tuple, collections.abc.Sequence):
        is_pair = origin is tuple and args[1:] == args[:1]
        return f"{'a pair' if is_pair else 'a list'} of {describe(args[0]).removeprefix('a ')}s"
    words = {int: "a whole number", float: "a number", str: "a string", bool: "True or False"}
    return words.get(hint) or f"a {getattr(hint, '__name__', hint)}"


def shown(value: Any) -> str:
    """A value in a message: short, on one line."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {list(value.shape)}"
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "…"


def require(value: Any, hint: Any, what: str, kind: type[MeganeuraError] = GraphError) -> Any:
    """``value`` as ``hint`` wants it; raises that ``what`` must be so."""
    fitted = fit(value, hint)
    if fitted is UNFIT:
        raise kind(f"{what} must be {describe(hint)}, got {shown(value)}")
    return fitted


def fit_fields(instance: Any, name: str, kind: type[MeganeuraError] = GraphError) -> None:
    """Hold a frozen dataclass to its fields' annotations; for its ``__post_init__``."""
    for field, hint in field_types(type(instance)).items():
        value = require(getattr(instance, field), hint, f"{name}: {field}", kind)
        object.__setattr__(instance, field, value)


def field_types(cls: Any) -> dict[str, Any]:
    """The fields of a dataclass with their types."""
    if cls not in _FIELD_TYPES:
        hints = typing.get_type_hints(cls)
        _FIELD_TYPES[cls] = {f.name: hints[f.name] for f in dataclasses.fields(cls)}
    return _FIELD_TYPES[cls]


_FIELD_TYPES: dict[Any, dict[str, Any]] = {}


def narrowed(
    array: Array, dtype: DTypeLike, what: str, kind: type[MeganeuraError] = GraphError
) -> Array:
    """``array`` in the type ``dtype``; it is an error about ``what`` if a finite number becomes
    infinite. Infinities and NaN stay what they are. Only a cast to fewer bits is checked."""
    with np.errstate(all="ignore"):
        result: Array = np.asarray(array, dtype)
    if array.dtype.kind == "f" and array.dtype.itemsize > result.dtype.itemsize:
        lost = np.isinf(result) & np.isfinite(array)
        if lost.any():
            worst = np.unravel_index(np.argmax(np.where(lost, np.abs(array), 0)), array.shape)
            where = f" at {[int(i) for i in worst]}" if worst else ""
            raise kind(
                f"{what}: {array[worst]:g}{where} does not fit in {result.dtype}, whose largest "
                f"number is {np.finfo(result.dtype).max:.3g}",
                hint="scale the data down; an infinity is passed as it is, if one is meant",
            )
    return result


def checked(
    function: Callable[P, R],
    kind: type[MeganeuraError] = GraphError,
    name: str | None = None,
    converters: Callable[[Any, str], Converters] | None = None,
) -> Callable[P, R]:
    """``function``, held to its annotations. ``converters(self, name)`` are types it knows."""
    signature, label = inspect.signature(function), name or function.__name__
    takes_nothing = list(signature.parameters) == ["self"]
    hints: dict[str, Any] = {}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if takes_nothing and len(args) == 1 and not kwargs:
            return function(*args, **kwargs)
        if not hints:  # not when the function is defined: its annotations may come later
            hints.update(typing.get_type_hints(function))
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise kind(f"{label}: {error}") from None
        known = converters(args[0], label) if converters is not None else {}
        for argument, value in bound.arguments.items():
            if argument in hints:
                fitted = fit(value, hints[argument], known)
                if fitted is UNFIT:
                    wanted = describe(hints[argument])
                    raise kind(f"{label}: {argument} must be {wanted}, got {shown(value)}")
                bound.arguments[argument] = fitted
        return function(*bound.args, **bound.kwargs)

    return call


def checked_methods(kind: type[MeganeuraError]) -> Callable[[type[T]], type[T]]:
    """Hold the constructor and the public methods of a class to their annotations."""

    def decorate(cls: type[T]) -> type[T]:
        done: dict[Any, Any] = {}  # two names for one method stay so
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and (name == "__init__" or not name.startswith("_")):
                label = cls.__name__ if name == "__init__" else name
                done.setdefault(method, checked(method, kind, label))
                setattr(cls, name, done[method])
        return cls

    return decorate
