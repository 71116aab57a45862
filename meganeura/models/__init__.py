"""Models: each file a configuration, and the functions that build its graph."""

from . import mnist as mnist
from . import sd_unet as sd_unet
