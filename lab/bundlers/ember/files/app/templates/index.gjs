// The first page: a counter, and a panel that a click loads.
import Counter from '../components/counter';
import Later from '../components/later';

<template>
  <h1>The harbour</h1>
  <Counter />
  <Later />
</template>
