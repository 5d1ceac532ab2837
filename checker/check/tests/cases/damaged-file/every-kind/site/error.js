<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head></html>
