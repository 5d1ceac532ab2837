const data = { name: `data that came late` };
export { data as default };
