#!pyobjects
with Test.nop("first object"):
    Cmd.run("second object", name="echo " + grains("id"), onlyif="true")
for n in range(2):
    Test.succeed_with_changes("object %d" % n, require=Cmd("second object"))
include("extra")
