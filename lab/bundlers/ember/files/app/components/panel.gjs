// The lazy panel, with an image.
const photo = new URL('./photo.png', import.meta.url).href;

<template><img src={{photo}} alt="Noise" width="64" height="64" /></template>
