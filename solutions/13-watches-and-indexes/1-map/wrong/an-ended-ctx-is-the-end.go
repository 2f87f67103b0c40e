// Breaks: Whether ctx has ended makes no difference.
// Caught by: TestTheContextHasEnded
// Message: Points to: the belief that an ended ctx has to be looked for everywhere. What waits looks for it, and
// nothing waits here

//go:build wrong

package mapping

import (
	"context"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// New makes the handler of the events of Pods. The controller keeps a summary of each application, one in each
// namespace. A summary has a line for each Pod that counts in it, and a line shows of its Pod the namespace, the name,
// the UID, the phase (of the status), the nodeName (of the spec) and the deletionTimestamp, and nothing else. A run
// writes a summary anew, from all that there is. So an event leads to the keys of those summaries that it changes.
//
// In which applications a Pod counts:
//
//   - In the one that its label App names, and in those that its annotation AlsoIn names.
//   - White space around a name in the list, as strings.TrimSpace has it, is not part of the name. Within a name it is.
//   - An empty name is none, in the label and in the list. Any other is one, and is taken as it is: nobody checks it.
//   - It counts in them whatever its phase is, and also while it is being deleted.
//   - What is no *corev1.Pod counts in none, also if it has the label or is of the kind Pod. Nor does nil, nor a
//     pointer that is nil, of whatever type. Nothing panics.
//
// The key of a summary is the namespace of the Pod and the name of the application.
//
// Which keys an event leads to:
//
//   - A creation: those of all applications in which the Pod counts, also if it is of the initial list.
//   - A deletion: those of all in which it counted when it was last seen, also if DeleteStateUnknown is set. The
//     object of the event is what was last seen.
//   - A generic event: those of all in which the Pod counts.
//   - An update: those of the applications in which one of its two objects counts and the other does not.
//   - An update, besides: those of the applications in which both count, if their lines differ. A deletionTimestamp
//     differs if it is another moment, or if only one of the objects has it. The same moment in another time zone is no
//     difference.
//   - An update whose objects have the same resourceVersion, a resync: those of all in which one of them counts.
//   - Nothing else leads to a key. Where and how the names of the same applications are written makes no difference.
//
// The two objects of an update have the same namespace and the same name. One of them, or both, may be no Pod, as
// above: it counts in none.
//
// How it is done:
//
//   - Each key is added once for an event, in any order. It has been added when the method returns.
//   - Add adds it. No other method of the queue is called. The queue is one without priorities.
//   - The handler waits for nothing but Add, and starts nothing that goes on after a method has returned.
//   - It decides from the event and from nothing else: it keeps nothing of the events before. The same event again
//     leads to the same keys again. Whether ctx has ended makes no difference.
//   - Several informers may call it at one time, and an Add may call it, too. None waits for another, however long the
//     Add of one takes.
//   - Nothing in the objects is changed, not even for a moment: they are those of the cache, and others read them.
func New() handler.EventHandler {
	//solution:begin
	//todo: lead each event to the keys of the summaries that it changes
	//stub: _, _, _ = context.Background, strings.TrimSpace, time.UTC
	//stub: _, _, _ = corev1.Pod{}, metav1.Time{}, types.UID("")
	//stub: _, _, _ = sets.New[string], client.Object(nil), event.UpdateEvent{}
	//stub: return handler.Funcs{}
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q Queue) {
			add(ctx, q, nil, linesOf(e.Object), true)
		},
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q Queue) {
			add(ctx, q, linesOf(e.ObjectOld), linesOf(e.ObjectNew), resync(e))
		},
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q Queue) {
			add(ctx, q, linesOf(e.Object), nil, true)
		},
		GenericFunc: func(ctx context.Context, e event.GenericEvent, q Queue) {
			add(ctx, q, nil, linesOf(e.Object), true)
		},
	}
	//solution:end
}

// add adds the keys of the summaries that differ, or of all.
func add(ctx context.Context, q Queue, before, after map[reconcile.Request]line, all bool) {
	if ctx.Err() != nil {
		return
	}
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now {
			q.Add(key)
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			q.Add(key)
		}
	}
}
