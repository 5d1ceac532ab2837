const photo = "/assets/photo-D4uBWr2K.png", lost = "/assets/lost-D4uBWr2K.png";
const beside = "./add-KS3RA5K5.wasm", lostBeside = `./gone-KS3RA5K5.wasm`;
const root = "./root-B3x_9kQz.svg";
const plain = "/assets/no-hash.png", other = "/users/B3x_9kQz", text = "see /assets/text-D4uBWr2K.png.";
fetch("/assets/once-D4uBWr2K.json");
