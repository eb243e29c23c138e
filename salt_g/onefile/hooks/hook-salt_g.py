"""PyInstaller hook for modules that it cannot detect, because rooms are imported by file name."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

hiddenimports = collect_submodules("salt_g", filter=lambda name: not name.startswith("salt_g.onefile"))
datas = collect_data_files("salt_g")
module_collection_mode = "pyz+py"
