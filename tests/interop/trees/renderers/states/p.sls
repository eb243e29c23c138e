#!py
def run():
    config = {"include": ["extra"]}
    for name in ("a", "b"):
        config["python " + name] = {"test.nop": [{"name": name}, {"require": [{"test": "extra"}]}]}
    config["from " + sls] = {"cmd.run": [{"name": "echo " + __salt__["test.echo"](__grains__["id"])}]}
    return config
