package window

const shownEnv = "NETTPLAY_TEST_SHOWN"
