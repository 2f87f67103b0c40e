package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// World is chapter 15's, with an archive for logs.
type World struct {
	*running.World
	Archive deletion.Archive

	dir string
}

// NewWorld makes one. For an API server that is not on loopback it makes none unless it is told which commands may run.
func NewWorld(ctx context.Context, l *lab.Lab, commands []string) (*World, error) {
	inner, err := running.NewWorld(ctx, l, commands)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "scratch-archive-")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make the archive's folder: %w", err), inner.Close(ctx))
	}
	return &World{World: inner, dir: dir, Archive: deletion.Archive(filepath.Join(dir, "logs"))}, nil
}

// Begin starts a controller for the world's machine and the sets of its namespace, and returns when its caches are
// filled.
func (w *World) Begin(ctx context.Context, l Life) (*running.Controller, error) {
	l.Archive = w.Archive
	more, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	l.Life.More = more
	return w.World.Begin(ctx, l.Life)
}

// Manifest writes a set's YAML into a file, and returns its path.
func (w *World) Manifest(name string, replicas int32) (string, error) {
	text, err := yaml.Marshal(map[string]any{"apiVersion": v1alpha1.GroupVersion.String(), "kind": "ProcessSet",
		"metadata": map[string]any{"name": name}, "spec": w.Set(name, replicas, "sleep", "777").Spec})
	if err != nil {
		return "", err
	}
	path := filepath.Join(w.dir, name+".yaml")
	return path, os.WriteFile(path, text, 0o600)
}

// Close ends the controllers and then all processes of the machine, and removes its folder and the archive.
func (w *World) Close(ctx context.Context) error {
	return errors.Join(w.World.Close(ctx), os.RemoveAll(w.dir))
}

// Key is the finalizer of the world's machine.
func (w *World) Key() string { return deletion.MachineKey(w.Name) }

// Block has the archive take nothing: where its folder should be is a file. Free takes the file away.
func (w *World) Block() error { return os.WriteFile(string(w.Archive), nil, 0o600) }

// Free ends a Block.
func (w *World) Free() error { return os.Remove(string(w.Archive)) }

// Slow is a command that takes a while to end: a shell that tidies up when it gets SIGTERM.
func Slow(seconds string) (command string, args []string) {
	return "sh", []string{"-c", `trap 'sleep "$0"; exit 0' TERM; while :; do sleep 0.05; done`, seconds}
}

// Set is one of so many Processes that the world's machine runs, and that is not created yet.
func (w *World) Set(name string, replicas int32, command string, args ...string) *v1alpha1.ProcessSet {
	labels := map[string]string{"app": name}
	return &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: w.Lab.Namespace, Name: name},
		Spec: v1alpha1.ProcessSetSpec{Replicas: &replicas, Selector: labels, Template: v1alpha1.ProcessTemplate{
			Labels: map[string]string{"app": name, kubelet.Label: w.Name},
			Spec:   v1alpha1.ProcessSpec{Command: command, Args: args, GracePeriodSeconds: ptr.To[int32](5)}}}}
}
