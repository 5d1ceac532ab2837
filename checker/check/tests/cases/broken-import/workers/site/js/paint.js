registerPaint("x", class {});
