import "react";
