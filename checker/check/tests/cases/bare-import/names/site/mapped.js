import "react";
import "scoped/a.js";
import "scoped";
import "react/jsx-runtime";
import "none";
