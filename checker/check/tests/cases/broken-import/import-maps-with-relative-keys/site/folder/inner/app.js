import "name";
