document.body.style.color = document.currentScript.dataset.main;
