var t=parcelRequire1234;t("kyEFX").register(t("aNJCr").getBundleURL("8Hsrd"),JSON.parse('["4Lhcg","classic.js","hDKtm","page.9e7696c9.js","iLmQP","page.gone.js"]'));
