<!doctype html>
<title>404</title>
<script>import("./part.js")</script>
