#!/usr/bin/env node
import("./hash-bang-gone.js");
