import "lit";
import "gone";
