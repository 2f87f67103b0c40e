package deletion_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
)

// desk is a machine with one process, as far as the clean-up sees it.
type desk struct {
	busy      bool
	seen      machine.Seen
	log       string
	fails     error
	forgotten int
}

func (d *desk) Busy(types.NamespacedName, types.UID) bool { return d.busy }

func (d *desk) Look(types.UID) (machine.Seen, error) { return d.seen, d.fails }

func (d *desk) Log(types.UID) (string, error) { return d.log, d.fails }

func (d *desk) Forget(types.UID) error {
	d.forgotten++
	d.seen, d.log = machine.Seen{}, ""
	return d.fails
}

// ran is a machine on which a process is in a state.
func ran(state machine.State) *desk {
	return &desk{seen: machine.Seen{State: state, Identity: machine.Identity{PID: 7},
		Spec: machine.Spec{Run: machine.Run{UID: "u1", Attempt: 1}}}, log: "hello\n"}
}

// Nothing is kept or forgotten of a process that lives, or that is about to.
func TestAProcessThatLives(t *testing.T) {
	archive := deletion.Archive(filepath.Join(t.TempDir(), "logs"))
	for name, c := range map[string]struct {
		on   *desk
		says string
	}{
		"running":          {ran(machine.Running), "waits for process 7 to end"},
		"starting":         {ran(machine.Starting), "waits for a start to end, or for the news of an end"},
		"not even started": {&desk{busy: true}, "waits for a start to end, or for the news of an end"},
		"not to be seen":   {&desk{fails: errors.New("no")}, "clean up web, Stop: no"},
	} {
		_, err := deletion.ProcessSteps(c.on, c.on, archive).Finalize(t.Context(), going(key))
		require.EqualError(t, err, c.says, name)
		require.Zero(t, c.on.forgotten, name)
		require.NoDirExists(t, string(archive), name)
	}
}

// Each step may have been done before, by a controller that died then, or whose answer was lost. The log is kept once:
// what is read later is less, or nothing.
func TestEachStepMayHaveBeenDone(t *testing.T) {
	for _, state := range []machine.State{machine.Ended, machine.Lost} {
		archive, p, on := deletion.Archive(filepath.Join(t.TempDir(), "logs")), going(key), ran(state)
		clean := deletion.ProcessSteps(on, on, archive)
		kept := func() string {
			text, err := os.ReadFile(archive.Path(p))
			require.NoError(t, err)
			return string(text)
		}
		_, err := clean.Finalize(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, "hello\n", kept())
		require.Equal(t, 1, on.forgotten)

		_, err = clean.Finalize(t.Context(), p) // all was done
		require.NoError(t, err)
		require.Equal(t, "hello\n", kept())

		*on = *ran(state) // the log was kept, and the folder is there
		on.log = ""
		_, err = clean.Finalize(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, "hello\n", kept())
		require.Equal(t, 1, on.forgotten)
	}
}

// What was never started leaves no log, and the folder is forgotten all the same.
func TestNothingWasStarted(t *testing.T) {
	archive, on := deletion.Archive(filepath.Join(t.TempDir(), "logs")), &desk{}
	_, err := deletion.ProcessSteps(on, on, archive).Finalize(t.Context(), going(key))
	require.NoError(t, err)
	require.NoDirExists(t, string(archive))
	require.Equal(t, 1, on.forgotten)
}

// An archive that can't be written keeps the folder, and so the log. What a write has left half-way is no log.
func TestAnArchiveThatTakesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	archive, p, on := deletion.Archive(path), going(key), ran(machine.Ended)
	_, err := deletion.ProcessSteps(on, on, archive).Finalize(t.Context(), p)
	require.ErrorContains(t, err, "clean up web, KeepLog: ")
	require.Zero(t, on.forgotten)

	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o700))
	require.NoError(t, os.WriteFile(archive.Path(p)+".tmp", []byte("hel"), 0o600))
	_, err = deletion.ProcessSteps(on, on, archive).Finalize(t.Context(), p)
	require.NoError(t, err)
	text, err := os.ReadFile(archive.Path(p))
	require.NoError(t, err)
	require.Equal(t, "hello\n", string(text))
	require.NoFileExists(t, archive.Path(p)+".tmp")
}

// Another object of the name has another log, and a UID that would lead elsewhere is refused.
func TestTheArchiveGoesByUID(t *testing.T) {
	archive, p, second := deletion.Archive(t.TempDir()), going(key), going(key)
	second.UID = "u2"
	require.NoError(t, archive.Keep(p, "one"))
	require.NoError(t, archive.Keep(second, "two"))
	text, err := os.ReadFile(archive.Path(p))
	require.NoError(t, err)
	require.Equal(t, "one", string(text))
	second.UID = "../u3"
	require.ErrorContains(t, archive.Keep(second, "three"), "can't be in a file's name")
}

// A machine's name that makes no finalizer is refused before anything is watched. The API server would refuse each
// object's.
func TestAMachinesNameThatMakesNoFinalizer(t *testing.T) {
	guard := func(name string) (*deletion.Guard, error) {
		k := kubelet.New(nil, kubelettest.NewMachine(), kubelet.Options{Name: name})
		return deletion.Process(nil, nil, k, ran(machine.Running), "", deletion.Pieces{})
	}
	longest := strings.Repeat("n", 55)
	g, err := guard(longest)
	require.NoError(t, err)
	require.Equal(t, "scratch.example.com/machine."+longest, g.Key)
	for _, name := range []string{longest + "n", strings.Repeat("n", 60), "north 1", "north/1", ""} {
		_, err := guard(name)
		require.ErrorContains(t, err, fmt.Sprintf("give the machine another name, of 55 characters at most: %q has %d",
			name, len(name)))
	}
}
