package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// World is a run's namespace with somebody who writes there, and a machine of this run: a folder, a name that no other
// run has, and a leash. Whatever happens to the program that made it, its processes end with it.
type World struct {
	*owning.World
	Name    string
	Machine *machine.Machine // to look: what it starts has no leash

	dir               string
	commands          []string
	leash, leashOwner *os.File
	controllers       []*Controller
}

// ErrRemote is why no process is started for objects of a server that is not on this machine.
var ErrRemote = errors.New("whoever may write there could start programs here")

// NewWorld makes one. For an API server that is not on loopback it makes none unless it is told which commands may run.
func NewWorld(ctx context.Context, l *lab.Lab, commands []string) (*World, error) {
	if err := Local(l.Server.Hostname(), commands); err != nil {
		return nil, err
	}
	over, err := owning.NewWorld(ctx, l)
	if err != nil {
		return nil, err
	}
	w := &World{World: over, Name: lab.Suffix(), commands: commands}
	if w.dir, err = os.MkdirTemp("", "scratch-machine-"); err != nil {
		return nil, fmt.Errorf("make the machine's folder: %w", err)
	}
	if w.Machine, err = machine.New(w.dir, machine.Options{}); err != nil {
		return nil, err
	}
	w.leash, w.leashOwner, err = os.Pipe()
	return w, err
}

// Local refuses a server of somebody else: the objects there say what runs here.
func Local(host string, commands []string) error {
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() || commands != nil {
		return nil
	}
	return fmt.Errorf("%s is not on this machine, and %w: name the programs that may run, -commands=sleep,sh", host,
		ErrRemote)
}

// Process is one that this world's machine runs, and that is not created yet. It has a second between SIGTERM and
// SIGKILL.
func (w *World) Process(name, command string, args ...string) *v1alpha1.Process {
	return &v1alpha1.Process{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.Lab.Namespace, Name: name,
			Labels: map[string]string{kubelet.Label: w.Name}},
		Spec: v1alpha1.ProcessSpec{Command: command, Args: args, GracePeriodSeconds: ptr.To[int32](1)},
	}
}

// Close ends the controllers and then all processes of the machine, and removes its folder.
func (w *World) Close(ctx context.Context) error {
	var failed []error
	for _, c := range w.controllers {
		failed = append(failed, c.Stop())
	}
	failed = append(failed, w.leashOwner.Close(), w.leash.Close())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second) // also after Ctrl-C
	defer cancel()
	all, err := w.Machine.List()
	failed = append(failed, err)
	for _, seen := range all {
		if _, err := w.Machine.Wait(ctx, seen.Spec.Run); err != nil {
			failed = append(failed, fmt.Errorf("wait until %s has ended: %w", seen.Spec.Object, err))
		}
	}
	return errors.Join(append(failed, os.RemoveAll(w.dir))...)
}

// Mistake has the machine's note of a run say another pid, with the start time that it has, as if the number had gone
// to another process.
func (w *World) Mistake(s machine.Seen, pid int) error {
	path := filepath.Join(w.dir, string(s.Spec.UID), "started")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var note map[string]any
	if err := json.Unmarshal(text, &note); err != nil {
		return err
	}
	identity, ok := note["Identity"].(map[string]any)
	if !ok {
		return fmt.Errorf("%s: it has no Identity", path)
	}
	identity["PID"] = pid
	if text, err = json.Marshal(note); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
