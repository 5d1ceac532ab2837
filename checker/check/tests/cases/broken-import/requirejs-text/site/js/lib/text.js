define({ load: function () {} });
