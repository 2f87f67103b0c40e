package machine_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// onDisk is how much a run's log takes.
func onDisk(t *testing.T, dir string) (size int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "a", "log*"))
	require.NoError(t, err)
	for _, file := range files {
		info, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the shim has given it its other name meanwhile
		}
		require.NoError(t, err)
		size += info.Size()
	}
	return size
}

func TestLogIsCapped(t *testing.T) {
	t.Parallel()
	const limit = 100_000
	m, dir := open(t, func(o *machine.Options) { o.LogLimit = limit })
	said, exit := newLine(t), newLine(t)
	const ten = 10 << 20
	script := fmt.Sprintf("head -c %d /dev/zero; echo $? >$1; read x <$2; echo last", ten)
	s := start(t, m, shell("a", script, said.path, exit.path))
	require.Equal(t, "0", said.hear(t), "it could write it all")
	require.LessOrEqual(t, onDisk(t, dir), int64(limit), "while it runs")
	exit.say(t)
	require.EqualValues(t, 0, *ended(t, m, s.Spec.Run).Exit.Code)
	require.LessOrEqual(t, onDisk(t, dir), int64(limit))
	log, err := m.Log("a")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(log), limit/2)
	require.Equal(t, "last\n", log[len(log)-5:], "the end of it says most")

	next := shell("a", "echo anew")
	next.Attempt = 2
	start(t, m, next)
	ended(t, m, next.Run)
	log, err = m.Log("a")
	require.NoError(t, err)
	require.Equal(t, "anew\n", log)
}

func TestLogThatTakesNothing(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(log string) error{
		"full":      func(log string) error { return os.Symlink("/dev/full", log) },
		"no folder": func(log string) error { return os.Symlink("/no/such/folder", log) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, dir := open(t)
			require.NoError(t, os.Mkdir(filepath.Join(dir, "a"), 0o700))
			require.NoError(t, prepare(filepath.Join(dir, "a", "log")))
			s := start(t, m, shell("a", "head -c 1000000 /dev/zero || exit 1; exit 3"))
			require.EqualValues(t, 3, *ended(t, m, s.Spec.Run).Exit.Code)
		})
	}
}

// Who left the group holds the output for as long as it likes, and the shim does not wait for it. What the command has
// written before its end is in the log all the same.
func TestLogIsHeldByAStranger(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid")
	}
	m, _ := open(t)
	up, exit, leave := newLine(t), newLine(t), newLine(t)
	seen := start(t, m, shell("a", `setsid sh -c 'echo up >$1; read x <$2' sh $1 $2 & read x <$3
		head -c 60000 /dev/zero; exit 3`, up.path, leave.path, exit.path))
	require.Equal(t, "up", up.hear(t))
	exit.say(t)
	require.EqualValues(t, 3, *ended(t, m, seen.Spec.Run).Exit.Code)
	log, err := m.Log("a")
	require.NoError(t, err)
	require.Equal(t, 60000, len(log))
	leave.say(t)
}
