package kubelet

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// adopt takes over what the last controller has left: each folder is a state, and leads to a run. That run sees whether
// there is an object, tells what has ended meanwhile, and watches what runs. A folder that does not say whose it is has
// had no process, and goes.
//
// Upstream's counterpart is the kubelet's HandlePodCleanups, in pkg/kubelet/kubelet_pods.go.
func (k *Kubelet) adopt() error {
	all, err := k.machine.List()
	if err != nil {
		return fmt.Errorf("what runs on %s: %w", k.Name, err)
	}
	for _, seen := range all {
		object := seen.Spec.Object
		if object.Name == "" {
			if err := k.machine.Forget(seen.Spec.UID); err != nil {
				return fmt.Errorf("a folder of nobody: %w", err)
			}
			continue
		}
		if s := k.stateOf(seen.Spec.UID, seen); k.states.Update(object, machine.Run{}, s) != nil {
			k.others.add(object, seen.Spec.UID)
		} else if alive(seen.State) {
			k.watch(s.Run)
		}
		k.channel.Notify(object)
	}
	return nil
}

// stateOf is what is known of an object when nothing is but what the machine says.
func (k *Kubelet) stateOf(uid types.UID, seen machine.Seen) State {
	s := State{Run: machine.Run{UID: uid, Attempt: seen.Spec.Attempt}, Seen: seen}
	k.saw(&s, seen)
	return s
}

// alive says whether a process of the run is there, or about to be.
func alive(s machine.State) bool { return s == machine.Running || s == machine.Starting }

// others are the folders of objects that have another one besides. One controller makes none, since it forgets the
// folder of an earlier object before it makes the next; two at a time might.
type others struct {
	lock sync.Mutex // guards uids
	uids map[types.NamespacedName][]types.UID
}

func (o *others) add(object types.NamespacedName, uid types.UID) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.uids == nil {
		o.uids = map[types.NamespacedName][]types.UID{}
	}
	o.uids[object] = append(o.uids[object], uid)
}

// take returns one that is not except, and takes it out.
func (o *others) take(object types.NamespacedName, except types.UID) (uid types.UID, ok bool) {
	o.lock.Lock()
	defer o.lock.Unlock()
	for len(o.uids[object]) > 0 && !ok {
		uid, o.uids[object] = o.uids[object][0], o.uids[object][1:]
		ok = uid != except
	}
	if len(o.uids[object]) == 0 {
		delete(o.uids, object)
	}
	return uid, ok
}
