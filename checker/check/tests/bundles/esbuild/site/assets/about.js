import{a,b as t}from"./chunk-3IY4COOF.js";a("About, by script");t("Panel",async()=>(await import("./panel-T67SNKOR.js")).open());t("Lonely",async()=>(await import("./lonely-I5TKWNWO.js")).say());
//# sourceMappingURL=about.js.map
