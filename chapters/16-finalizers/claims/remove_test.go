package claims

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	apply "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/applyconfiguration/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// machine is who has put the finalizer on, to an apply.
const machine = client.FieldOwner("machine.one")

// Whoever takes the last finalizer out deletes the object: it is gone when that request is answered, and no controller
// runs beside the server. The answer still shows the version from before; the event has one of its own. What a second
// removal is told is a 404, unless it is an apply: that one would make the object anew, if it said enough.
//
// covers: B-84 S0-58 B-88
func TestEachWayTakesAFinalizerOut(t *testing.T) {
	mine := []operation{{"test", "/metadata/finalizers/0", ours}, {Op: "remove", Path: "/metadata/finalizers/0"}}
	for name, way := range map[string]struct {
		take  func(s *site, p *v1alpha1.Process) error
		again int32
	}{
		"update": {func(s *site, p *v1alpha1.Process) error {
			p.Finalizers = nil
			return s.user.Update(s.t.Context(), p)
		}, http.StatusNotFound},
		"merge patch": {func(s *site, p *v1alpha1.Process) error {
			none := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
			return s.user.Patch(s.t.Context(), p, none)
		}, http.StatusNotFound},
		"JSON patch": {func(s *site, p *v1alpha1.Process) error {
			return s.send(p, types.JSONPatchType, mine)
		}, http.StatusNotFound},
		"apply": {func(s *site, p *v1alpha1.Process) error {
			return s.user.Apply(s.t.Context(), apply.Process(p.Name, p.Namespace), machine)
		}, http.StatusUnprocessableEntity},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			p := made(s, s.process("web"))
			says := apply.Process(p.Name, s.Namespace).WithFinalizers(ours)
			require.NoError(t, s.user.Apply(t.Context(), says, machine))
			p = deleted(s, p)
			last, read := p.ResourceVersion, p.DeepCopy()
			require.NoError(t, way.take(s, p))
			s.gone(p)
			require.Equal(t, last, p.ResourceVersion, "the answer")
			event := s.followFrom(&v1alpha1.ProcessList{}, last).goes(p.Name)
			require.NotEqual(t, last, event.object.GetResourceVersion(), "the event")
			refused(t, way.again, way.take(s, read))
		})
	}
}

// The status is another resource: what its update says of finalizers is ignored, and no error tells.
//
// covers: S0-58
func TestAStatusUpdateTakesNoFinalizerOut(t *testing.T) {
	s := newSite(t)
	p := deleted(s, made(s, s.process("web", ours)))
	p.Finalizers = nil
	require.NoError(t, s.user.Status().Update(t.Context(), p))
	require.Equal(t, []string{ours}, onServer(s, p).Finalizers)
	require.Equal(t, []string{ours}, p.Finalizers, "the answer shows it")
}

// An update that comes after the end, as one that takes a finalizer out a second time, is a 404. Some kinds may be made
// by an update, such as a Lease. There it is a conflict, "UID in object meta: " and nothing after it: the UID of what
// was read is compared with that of no object. Older servers said so of every kind. The same sent again is told the
// same again, and without the UID it makes the object anew. A patch is a 404 in any case.
//
// covers: B-84 S2-11
func TestAnUpdateOfAnObjectThatIsGone(t *testing.T) {
	s := newSite(t)
	lease := &coordinationv1.Lease{ObjectMeta: s.named("web", ours)}
	for _, o := range []client.Object{s.process("web", ours), s.configMap("web", ours), lease} {
		stale := deleted(s, made(s, o))
		require.NoError(t, s.patch(o, only()))
		s.gone(o)
		refused(t, http.StatusNotFound, s.patch(o, only()))
		for range 2 {
			err := s.user.Update(t.Context(), stale)
			if o != lease {
				refused(t, http.StatusNotFound, err)
				continue
			}
			require.True(t, apierrors.IsConflict(err), "%v", err)
			require.Regexp(t, `^Operation cannot be fulfilled on \S+ "web": StorageError: invalid object, Code: 4, `+
				`Key: \S+, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: `+
				string(o.GetUID())+`, UID in object meta: $`, err.Error())
		}
	}
	late := lease.DeepCopy()
	late.UID = ""
	require.NoError(t, s.user.Update(t.Context(), late))
	again := onServer(s, lease)
	require.NotEqual(t, lease.UID, again.UID, "it was to be changed, and is made")
	require.Equal(t, []string{ours}, again.Finalizers)
}

// To a merge patch the finalizers are one value. Made from an old read it takes out what somebody else has put in
// meanwhile, or puts back what is out. A version in it makes that a conflict.
//
// covers: S0-58
func TestAPatchWithoutAVersionTakesOthersOut(t *testing.T) {
	s := newSite(t)
	p := made(s, s.process("web", ours))
	read := p.DeepCopy()
	require.NoError(t, s.patch(p, only(ours, theirs)))
	require.NoError(t, s.patch(p, only()))
	require.Empty(t, onServer(s, p).Finalizers, "theirs is gone, and nobody was told")

	require.NoError(t, s.patch(p, only(ours, theirs)))
	locked := only()
	locked["resourceVersion"] = read.ResourceVersion
	words := refused(t, http.StatusConflict, s.patch(p, locked))
	require.Contains(t, words, "the object has been modified; please apply your changes to the latest version")
	now := onServer(s, p)
	locked["finalizers"], locked["resourceVersion"] = []string{theirs}, now.ResourceVersion
	require.NoError(t, s.patch(p, locked))
	require.Equal(t, []string{theirs}, onServer(s, p).Finalizers)
}

// A JSON patch takes out what stands at a place. Somebody else's removal moves the places, so that it takes another
// one. A test in it has it refused: as invalid, and not as a conflict.
//
// covers: S0-58
func TestAJSONPatchTakesWhatStandsThere(t *testing.T) {
	second := operation{Op: "remove", Path: "/metadata/finalizers/1"}
	s := newSite(t)
	p := made(s, s.process("web", theirs, ours, "south.example.com/holds"))
	require.NoError(t, s.patch(p, only(ours, "south.example.com/holds")))
	require.NoError(t, s.send(p, types.JSONPatchType, []operation{second}))
	require.Equal(t, []string{ours}, onServer(s, p).Finalizers, "ours was to go, and south's is gone")

	require.NoError(t, s.patch(p, only(ours, "south.example.com/holds")))
	err := s.send(p, types.JSONPatchType, []operation{{"test", second.Path, ours}, second})
	refused(t, http.StatusUnprocessableEntity, err)
	require.False(t, apierrors.IsConflict(err))
	require.Len(t, onServer(s, p).Finalizers, 2)
}

// To an apply, and to a strategic merge of a built-in kind, the finalizers are a set: each takes out its own, and
// leaves those of others.
//
// covers: S0-58
func TestTwoWritesThatKnowASet(t *testing.T) {
	s := newSite(t)
	p := made(s, s.process("web", theirs))
	put := apply.Process(p.Name, s.Namespace).WithFinalizers(ours)
	require.NoError(t, s.user.Apply(t.Context(), put, machine))
	require.ElementsMatch(t, []string{ours, theirs}, onServer(s, p).Finalizers)
	require.NoError(t, s.user.Apply(t.Context(), apply.Process(p.Name, s.Namespace), machine))
	require.Equal(t, []string{theirs}, onServer(s, p).Finalizers)

	m := made(s, s.configMap("web", theirs))
	strategic := func(metadata map[string]any) error {
		return s.send(m, types.StrategicMergePatchType, map[string]any{"metadata": metadata})
	}
	require.NoError(t, strategic(only(ours)))
	require.ElementsMatch(t, []string{ours, theirs}, onServer(s, m).Finalizers)
	require.NoError(t, strategic(map[string]any{"$deleteFromPrimitiveList/finalizers": []string{ours}}))
	require.Equal(t, []string{theirs}, onServer(s, m).Finalizers)
	refused(t, http.StatusUnsupportedMediaType, s.send(p, types.StrategicMergePatchType, map[string]any{}))
}

// A finalizer that is put on from a late cache, after the object has gone: a patch and an update have a 404 or a
// conflict. An apply that says the spec makes the object anew, with a finalizer that nobody takes out, unless the apply
// names the UID that it means.
//
// covers: S0-58 S2-11
func TestAnApplyMakesWhatIsGone(t *testing.T) {
	s := newSite(t)
	p := made(s, s.process("web"))
	require.NoError(t, s.user.Delete(t.Context(), p))
	refused(t, http.StatusNotFound, s.patch(p, only(ours)))
	late := p.DeepCopy()
	late.Finalizers = []string{ours}
	refused(t, http.StatusNotFound, s.user.Update(t.Context(), late))

	says := apply.Process(p.Name, s.Namespace).WithFinalizers(ours).WithSpec(apply.ProcessSpec().WithCommand("sleep"))
	words := refused(t, http.StatusConflict, s.user.Apply(t.Context(), says.WithUID(p.UID), machine))
	require.Contains(t, words, "uid mismatch: the provided object specified uid "+string(p.UID)+
		", and no existing object was found")
	s.gone(p)

	says.UID = nil
	require.NoError(t, s.user.Apply(t.Context(), says, machine))
	s.frees(p)
	again := onServer(s, p)
	require.NotEqual(t, p.UID, again.UID, "it was to be changed, and is made")
	again = deleted(s, again)
	require.Equal(t, []string{ours}, again.Finalizers)
}

// A finalizer is put on with the version that was read. The object that has changed since may be one that is being
// deleted, and this is told as a conflict before anybody looks at the finalizer.
//
// covers: S0-58
func TestAFinalizerFromALateRead(t *testing.T) {
	s := newSite(t)
	read := made(s, s.process("web", theirs))
	deleted(s, read)
	locked := only(theirs, ours)
	locked["resourceVersion"] = read.ResourceVersion
	refused(t, http.StatusConflict, s.patch(read, locked))
	delete(locked, "resourceVersion")
	refused(t, http.StatusUnprocessableEntity, s.patch(read, locked))
	require.Equal(t, []string{theirs}, onServer(s, read).Finalizers)
}
