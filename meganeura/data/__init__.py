"""Data: the digits that ship with the package, IDX files, and batches."""

from .batches import Batch as Batch
from .batches import Batches as Batches
from .batches import DataLoader as DataLoader
from .mnist import MnistDataset as MnistDataset
