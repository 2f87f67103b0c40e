package supervisor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheLineThatSaysWhy(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"nothing": {"", ""},
		"chatter": {"I1121 12:00:00.1 1 a.go:1] started\nW1121 b.go:2] odd", ""},
		"Error":   {"I1121 a\nError: unknown flag: --x\nUsage: ...", "Error: unknown flag: --x"},
		"klog's fatal": {"I1121 a\nF1121 12:00:00.1 1 a.go:1] no etcd\ngoroutine 1 [running]:",
			"F1121 12:00:00.1 1 a.go:1] no etcd"},
		"etcd's panic": {`{"level":"error","msg":"x"}` + "\n" + `{"level":"panic","msg":"no WAL","error":"full"}` +
			"\npanic: no WAL", "no WAL: full"},
		"etcd's error": {`{"level":"error","msg":"bad","error":"very"}` + "\n" + `{"level":"info","msg":"bye"}`,
			"bad: very"},
		"etcd's chatter":   {`{"level":"info","msg":"hello"}`, ""},
		"a Go panic":       {"panic: oh\n\ngoroutine 1 [running]:\nmain.main()", "panic: oh"},
		"a line with an F": {"Fine so far", ""},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, telling(strings.Split(c.log, "\n")))
		})
	}
}

// etcd's own words on a full disk have the number of the error where its text is meant to be.
func TestAnErrorOfAFileIsSpelledOut(t *testing.T) {
	for said, want := range map[string]string{
		"cannot commit tx (%!w(*fs.PathError=&{write /run/x/data/db 28}))": "cannot commit tx (" +
			"write /run/x/data/db: no space left on device)",
		"%!w(*fs.PathError=&{write /x y 0x1c})": "write /x y: no space left on device",
		"%!w(*fs.PathError=&{write /x})":        "%!w(*fs.PathError=&{write /x})",
		"plain":                                 "plain",
	} {
		log := filepath.Join(t.TempDir(), "log")
		require.NoError(t, os.WriteFile(log, []byte("panic: "+said+"\n"), 0o600))
		_, why := lastWords(log)
		assert.Equal(t, "panic: "+want, why)
	}
}

func TestALackThatTheLogNamesHasItsRemedy(t *testing.T) {
	s := &Supervisor{config: Config{Run: "/tmp/cfs-1/x"}}
	for cause, want := range map[string]string{
		"write: no space left on device": "; free some space in /tmp/cfs-1, or set TMPDIR to a folder that has some",
		"file descriptor limit of etcd process is too low; please set higher": "; this shell allows too few open files: " +
			"ulimit -n 1024, and run the command again",
		"something else": "",
	} {
		assert.Equal(t, want, s.advice(cause))
	}
}

func TestTheLinesToShow(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(log, []byte("first\npanic: oh\n\ngoroutine 1 [running]:\nmain.main()\n"+
		"\t/src/main.go:31\n"), 0o600))
	shown, why := lastWords(log)
	assert.Equal(t, []string{"first", "panic: oh"}, shown, "without the stack")
	assert.Equal(t, "panic: oh", why)

	require.NoError(t, os.WriteFile(log, []byte(`{"level":"warn","ts":"2026-11-22","msg":"slow","error":"disk"}`+"\n"+
		`{"level":"info","ts":"2026-11-22","msg":"serving"}`), 0o600))
	shown, _ = lastWords(log)
	assert.Equal(t, []string{"warn: slow: disk", "info: serving"}, shown, "what etcd says, not how")

	require.NoError(t, os.WriteFile(log, []byte(strings.Repeat("a long line of a log\n", 10_000)), 0o600))
	shown, _ = lastWords(log)
	assert.Len(t, shown, shownLines)

	shown, why = lastWords(filepath.Join(t.TempDir(), "absent"))
	assert.Empty(t, shown)
	assert.Empty(t, why)
}
