/** For tests whose other side is on this machine: import it first, before anything reads the configuration. */
process.env.OUTBOUND_ALLOW = "127.0.0.0/8";
