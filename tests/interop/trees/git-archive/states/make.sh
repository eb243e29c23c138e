set -e
git init -q -b main up; cd up
echo one > file; git add file; git commit -q -m one; git tag v1
echo two > file; git commit -q -am two
cd ..; mkdir -p tree/sub; echo t > tree/sub/t; chmod -R u=rwX,go=rX tree; tar --mtime=@1577836800 -czf a.tar.gz tree
