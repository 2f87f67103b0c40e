package deletion

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/finalizer"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// MachineKey is the finalizer of a machine, whose name has 55 characters at most: [Process] refuses a longer one. Each
// machine has its own: a Process that moves to another one has two for a while, and each machine takes out its own.
// They do not wait for each other: the new one may start it before the old one has stopped it.
func MachineKey(name string) string { return "scratch.example.com/" + machinePart + name }

// What stands behind the slash of a finalizer may be as long as a label's value.
const (
	machinePart = "machine."
	longestName = validation.LabelValueMaxLength - len(machinePart)
)

// Machine is what the clean-up needs of a *machine.Machine.
type Machine interface {
	Look(uid types.UID) (machine.Seen, error)
	Log(uid types.UID) (string, error)
	Forget(uid types.UID) error
}

// Busy is what it needs of a *kubelet.Kubelet: whether, as far as that knows, a process of an object lives, or a start
// goes on of which the machine does not know yet.
type Busy interface {
	Busy(object types.NamespacedName, uid types.UID) bool
}

// Process guards the Processes of a kubelet, which is not set up yet: it starts nothing without the finalizer from then
// on. An object that is deleted is there until its process is dead, its log is in the archive, and the machine has
// forgotten it. One that moves to another machine loses its log: the kubelet forgets it at once.
//
// It fails if the machine's name makes no finalizer. The API server would refuse that each time, and nothing would ever
// be started.
func Process(over client.Client, live client.Reader, k *kubelet.Kubelet, m Machine, a Archive, p Pieces) (*Guard,
	error) {
	key := MachineKey(k.Name)
	if wrong := validation.IsQualifiedName(key); wrong != nil {
		return nil, fmt.Errorf("give the machine another name, of %d characters at most: %q has %d, and the API server "+
			"refuses its finalizer %s: %s", longestName, k.Name, len(k.Name), key, strings.Join(wrong, "; "))
	}
	k.May = func(o client.Object) bool { return Holds(key, o) }
	k.Held = k.May
	return &Guard{Key: key, Over: over, Live: live, Ours: k.Ours, Next: k,
		New: func() client.Object { return new(v1alpha1.Process) }, Clean: p.orOurs().Process(k, m, a)}, nil
}

// ProcessSteps are the clean-up of a Process. The order is a rule: a log that is read while the process runs is not all
// of it, and one that is read when the folder is gone is nothing.
func ProcessSteps(k Busy, m Machine, a Archive) finalizer.Finalizer {
	c := cleaner{k, m, a}
	return Steps{{"Stop", c.stop}, {"KeepLog", c.keepLog}, {"Forget", c.forget}}
}

// cleaner is what the steps stand on.
type cleaner struct {
	kubelet Busy
	machine Machine
	archive Archive
}

// stop is done when no process lives, and none is about to. It stops nothing: the kubelet does.
func (c cleaner) stop(_ context.Context, o client.Object) error {
	seen, err := c.machine.Look(o.GetUID())
	switch {
	case err != nil:
		return err
	case seen.State == machine.Running:
		return &Waiting{For: fmt.Sprintf("process %d to end", seen.Identity.PID)}
	case seen.State == machine.Starting, c.kubelet.Busy(client.ObjectKeyFromObject(o), o.GetUID()):
		return &Waiting{For: "a start to end, or for the news of an end"}
	}
	return nil
}

// keepLog is done when the log is in the archive, or there is none.
func (c cleaner) keepLog(_ context.Context, o client.Object) error {
	seen, err := c.machine.Look(o.GetUID())
	if err != nil || seen.Spec.Attempt == 0 {
		return err // it was never started, or it was forgotten, and kept before that
	}
	log, err := c.machine.Log(o.GetUID())
	if err != nil {
		return err
	}
	return c.archive.Keep(o, log)
}

// forget is done when the machine knows nothing of the object any more.
func (c cleaner) forget(_ context.Context, o client.Object) error {
	return c.machine.Forget(o.GetUID())
}
