const part: string = import("./part.js") as any;
