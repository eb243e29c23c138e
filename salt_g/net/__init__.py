"""The network of this host: interfaces, name resolution, TLS contexts, proxies, event bus addresses."""
