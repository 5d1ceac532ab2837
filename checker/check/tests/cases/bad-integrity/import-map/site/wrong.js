stop();
