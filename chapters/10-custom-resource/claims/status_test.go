package claims

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// running is a status.
func running(pid int) object { return object{"phase": "Running", "pid": pid} }

// Where the status is a subresource, each URL takes its half and drops the other: a create and a write to the object
// drop the status, a write to /status drops spec and labels. Where it is none, the object's own URL takes both, and
// /status is not there.
//
// covers: B-69
func TestEachURLWritesItsHalf(t *testing.T) {
	s := newStage(t)
	with := s.experiment(nil)
	without := s.experiment(func(spec object) { delete(version(spec, 0), "subresources") })
	for _, e := range []*experiment{with, without} {
		subresource := e == with
		body := e.object("v1alpha1", "web", sleeping())
		body["status"] = running(1)
		created := e.must(http.MethodPost, e.at("v1alpha1"), body)
		require.Equal(t, !subresource, created.Field("status", "pid") == "1", "a create keeps it: %s", created.Body)

		body = e.must(http.MethodGet, e.at("v1alpha1", "web"), nil).Object().Object
		body["status"] = running(2)
		updated := e.must(http.MethodPut, e.at("v1alpha1", "web"), body)
		require.Equal(t, !subresource, updated.Field("status", "pid") == "2", "an update keeps it: %s", updated.Body)
		require.Equal(t, !subresource, updated.Field("metadata", "generation") == "2", "and counts: %s", updated.Body)

		body = updated.Object().Object
		body["status"] = running(3)
		body["spec"].(object)["gracePeriodSeconds"] = 99
		body["metadata"].(object)["labels"] = object{"team": "red"}
		body["metadata"].(object)["finalizers"] = []any{"scratch.example.com/x"}
		status := e.ask(http.MethodPut, e.at("v1alpha1", "web", "status"), body)
		if !subresource {
			require.Equal(t, http.StatusNotFound, status.Code, "%s", status.Body)
			continue
		}
		require.Equal(t, http.StatusOK, status.Code, "%s", status.Body)
		require.Equal(t, "3", status.Field("status", "pid"))
		require.Equal(t, "10", status.Field("spec", "gracePeriodSeconds"), "a write to /status keeps the spec")
		require.Empty(t, status.Field("metadata", "labels"), "and the labels")
		require.Empty(t, status.Field("metadata", "finalizers"), "and the finalizers")
		require.Equal(t, "1", status.Field("metadata", "generation"))
	}
}

// generations plays operations on one object and says which generation each leaves. Its status is at statusAt below it.
func (s *stage) generations(collection, statusAt string, body object, operations ...object) (all []string) {
	s.t.Helper()
	a := s.must(http.MethodPost, collection, body)
	path := collection + "/" + a.Object().GetName()
	all = append(all, a.Field("metadata", "generation"))
	for _, operation := range operations {
		at := path
		if operation["status"] != nil {
			at += statusAt
		}
		a = s.must(http.MethodPatch, at, operation)
		all = append(all, a.Field("metadata", "generation"))
	}
	a = s.must(http.MethodPatch, path, object{"metadata": object{"finalizers": []any{"scratch.example.com/x"}}})
	all = append(all, a.Field("metadata", "generation"))
	s.must(http.MethodDelete, path, nil)
	a = s.must(http.MethodGet, path, nil)
	all = append(all, a.Field("metadata", "generation"))
	s.must(http.MethodPatch, path, object{"metadata": object{"finalizers": nil}})
	return all
}

// What counts in generation differs from kind to kind. Each row is one object: created, its labels changed, its
// annotations, its spec or data, its status, then it gets a finalizer, and is deleted.
//
// covers: B-70 S0-14
func TestWhatCountsInGeneration(t *testing.T) {
	s := newStage(t)
	without := s.experiment(func(spec object) { delete(version(spec, 0), "subresources") })
	labels := object{"metadata": object{"labels": object{"team": "red"}}}
	annotations := object{"metadata": object{"annotations": object{"team": "red"}}}
	grace := object{"spec": object{"gracePeriodSeconds": 99}}
	status := object{"status": object{"observedGeneration": 1}}

	require.Equal(t, []string{"1", "1", "1", "2", "2", "2", "3"},
		s.generations(s.path("processes"), "/status", process("web", nil), labels, annotations, grace, status),
		"a Process: its spec, and the beginning of its deletion")
	require.Equal(t, []string{"1", "1", "1", "2", "3", "3", "4"},
		s.generations(without.at("v1alpha1"), "", without.object("v1alpha1", "web", sleeping()),
			labels, annotations, grace, status),
		"without the subresource: its status, too")

	pod := object{"metadata": object{"labels": object{"app": "web"}},
		"spec": object{"containers": []any{object{"name": "web", "image": "example.com/web"}}}}
	deployment := object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": object{"name": "web"},
		"spec": object{"replicas": 0, "paused": true, "template": pod,
			"selector": object{"matchLabels": object{"app": "web"}}}}
	require.Equal(t, []string{"1", "1", "2", "3", "3", "3", "4"},
		s.generations("/apis/apps/v1/namespaces/"+s.Namespace+"/deployments", "/status", deployment, labels,
			annotations, object{"spec": object{"minReadySeconds": 1}}, status),
		"a Deployment: its annotations, too")

	menu := object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": "menu"}}
	require.Equal(t, []string{"", "", "", "", "", ""},
		s.generations("/api/v1/namespaces/"+s.Namespace+"/configmaps", "", menu, labels, annotations,
			object{"data": object{"today": "soup"}}),
		"a ConfigMap has none")
}

// A write that changes nothing counts nothing. A change of the spec counts one, however much it changes.
//
// covers: S0-14
func TestGenerationCountsChanges(t *testing.T) {
	s := newStage(t)
	made := s.must(http.MethodPost, s.path("processes"), process("web", nil))
	same := s.must(http.MethodPut, s.path("processes", "web"), made.Object().Object)
	require.Equal(t, "1", same.Field("metadata", "generation"))
	require.Equal(t, made.Object().GetResourceVersion(), same.Object().GetResourceVersion())
	much := s.must(http.MethodPatch, s.path("processes", "web"),
		object{"spec": object{"gracePeriodSeconds": 1, "args": []any{"60"}, "restartPolicy": "Never"}})
	require.Equal(t, "2", much.Field("metadata", "generation"))
	forged := s.must(http.MethodPatch, s.path("processes", "web"), object{"metadata": object{"generation": 70}})
	require.Equal(t, "2", forged.Field("metadata", "generation"), "nobody sets it")
}

// A predicate that lets changes of generation through lets no update of a ConfigMap through, and an update that
// begins a deletion.
//
// covers: B-70
func TestGenerationChangedPredicate(t *testing.T) {
	passes := func(before, after client.Object) bool {
		return predicate.GenerationChangedPredicate{}.Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after})
	}
	menu := func(today string) *corev1.ConfigMap {
		return &corev1.ConfigMap{Data: map[string]string{"today": today}}
	}
	require.False(t, passes(menu("soup"), menu("stew")))

	s := newStage(t)
	body := process("web", nil)
	body["metadata"].(object)["finalizers"] = []any{"scratch.example.com/x"}
	read := func() *v1alpha1.Process {
		var p v1alpha1.Process
		require.NoError(t, json.Unmarshal(s.must(http.MethodGet, s.path("processes", "web"), nil).Body, &p))
		return &p
	}
	s.must(http.MethodPost, s.path("processes"), body)
	made := read()
	s.must(http.MethodDelete, s.path("processes", "web"), nil)
	deleted := read()
	require.Equal(t, made.Spec, deleted.Spec)
	require.NotNil(t, deleted.DeletionTimestamp)
	require.True(t, passes(made, deleted))
	s.must(http.MethodPatch, s.path("processes", "web"), object{"metadata": object{"finalizers": nil}})
}

// Of the kinds that client-go knows, which can be stored, many have no spec, and more have no status. All have
// metadata, beside the spec.
//
// covers: B-71
func TestManyKindsHaveNoSpecAndNoStatus(t *testing.T) {
	var all, noSpec, noStatus, neither []string
	for gvk, kind := range scheme.Scheme.AllKnownTypes() {
		metadata, stored := kind.FieldByName("ObjectMeta")
		if !stored || !strings.HasPrefix(metadata.Tag.Get("json"), "metadata") {
			continue
		}
		name := gvk.GroupVersion().String() + " " + gvk.Kind
		_, spec := kind.FieldByName("Spec")
		_, status := kind.FieldByName("Status")
		all = append(all, name)
		if !spec {
			noSpec = append(noSpec, name)
		}
		if !status {
			noStatus = append(noStatus, name)
		}
		if !spec && !status {
			neither = append(neither, name)
		}
	}
	t.Logf("of %d kinds %d have no spec, %d no status, %d neither", len(all), len(noSpec), len(noStatus), len(neither))
	require.Greater(t, len(neither), len(all)/4)
	for _, name := range []string{"v1 ConfigMap", "v1 Secret", "v1 Event", "v1 Endpoints", "v1 ServiceAccount",
		"rbac.authorization.k8s.io/v1 Role", "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
		"storage.k8s.io/v1 StorageClass"} {
		require.Contains(t, neither, name)
	}
	require.Contains(t, noStatus, "coordination.k8s.io/v1 Lease")
	require.NotContains(t, noSpec, "coordination.k8s.io/v1 Lease")
	_, inside := reflect.TypeFor[v1alpha1.ProcessSpec]().FieldByName("ObjectMeta")
	require.False(t, inside, "metadata is no part of the spec")
}

// The columns that the markers name come from the server, as a Table, to whoever asks for one. Those with a priority
// are what -o wide shows.
func TestPrinterColumns(t *testing.T) {
	s := newStage(t)
	s.must(http.MethodPost, s.path("processes"), process("web", nil))
	s.must(http.MethodPatch, s.path("processes", "web", "status"), object{"status": running(7)})
	a := s.must(http.MethodGet, s.path("processes"), nil, "Accept: application/json;as=Table;v=v1;g=meta.k8s.io")
	var table metav1.Table
	require.NoError(t, json.Unmarshal(a.Body, &table))
	var narrow, wide []string
	for _, column := range table.ColumnDefinitions {
		if column.Priority == 0 {
			narrow = append(narrow, column.Name)
		} else {
			wide = append(wide, column.Name)
		}
	}
	require.Equal(t, []string{"Name", "Command", "Phase", "PID", "Restarts", "Age"}, narrow)
	require.Equal(t, []string{"Exit"}, wide)
	require.Len(t, table.Rows, 1)
	require.Equal(t, []any{"web", "sleep", "Running", float64(7), nil}, table.Rows[0].Cells[:5], "no restarts")

	out := strings.Fields(s.Kubectl("get", "proc", "web"))
	require.Equal(t, []string{"NAME", "COMMAND", "PHASE", "PID", "RESTARTS", "AGE"}, out[:6])
	require.NotContains(t, out, "EXIT")
	require.Contains(t, s.Kubectl("get", "scratch", "-o", "wide"), "EXIT", "scratch is the category of both kinds")
}

// The subresource scale is one shape for whatever has replicas: who knows it scales a ProcessSet, and has never heard
// of that kind.
func TestScale(t *testing.T) {
	s := newStage(t)
	set := booked("ProcessSet", "web", with(template(nil), object{"selector": labelled(1)}))
	s.must(http.MethodPost, s.path("processsets"), set)
	s.must(http.MethodPatch, s.path("processsets", "web", "status"),
		object{"status": object{"replicas": 1, "selector": "app=web"}})
	scale := s.must(http.MethodGet, s.path("processsets", "web", "scale"), nil)
	require.Equal(t, "autoscaling/v1 Scale", scale.Field("apiVersion")+" "+scale.Field("kind"))
	require.Equal(t, `{"replicas":1}`, scale.Field("spec"))
	require.Equal(t, `{"replicas":1,"selector":"app=web"}`, scale.Field("status"))

	require.Contains(t, s.Kubectl("scale", "processset/web", "--replicas=3"), "scaled")
	after := s.must(http.MethodGet, s.path("processsets", "web"), nil)
	require.Equal(t, "3", after.Field("spec", "replicas"))
	require.Equal(t, "2", after.Field("metadata", "generation"))
	require.Equal(t, "1", after.Field("status", "replicas"), "the status is the controller's")

	over := s.ask(http.MethodPatch, s.path("processsets", "web", "scale"), object{"spec": object{"replicas": 101}})
	require.Equal(t, http.StatusUnprocessableEntity, over.Code, "the rules hold: %s", over.Body)
}

// A condition is found by its type and not by its place in the list. Its time is that of the last change of its status,
// so that another message does not move it.
//
// covers: S0-17
func TestConditions(t *testing.T) {
	s := newStage(t)
	s.must(http.MethodPost, s.path("processes"), process("web", nil))
	var conditions []metav1.Condition
	set := func(kind string, status metav1.ConditionStatus, message string) bool {
		return meta.SetStatusCondition(&conditions, metav1.Condition{Type: kind, Status: status, Reason: "Test",
			Message: message, ObservedGeneration: 1})
	}
	require.True(t, set(v1alpha1.ConditionStalled, metav1.ConditionFalse, ""))
	require.True(t, set(v1alpha1.ConditionReady, metav1.ConditionFalse, "one"))
	since := meta.FindStatusCondition(conditions, v1alpha1.ConditionReady)
	since.LastTransitionTime = metav1.Unix(1, 0)
	require.True(t, set(v1alpha1.ConditionReady, metav1.ConditionFalse, "two"), "the message is a change")
	require.Equal(t, int64(1), since.LastTransitionTime.Unix(), "and no transition")
	require.False(t, set(v1alpha1.ConditionReady, metav1.ConditionFalse, "two"), "the same again is none")
	require.True(t, set(v1alpha1.ConditionReady, metav1.ConditionTrue, "two"))
	require.NotEqual(t, int64(1), since.LastTransitionTime.Unix())
	require.Len(t, conditions, 2)

	write := func(list []metav1.Condition) (code int, says string) {
		a := s.ask(http.MethodPatch, s.path("processes", "web", "status"), object{"status": object{"conditions": list}})
		return a.Code, strings.Join(a.Refusal(), "; ")
	}
	code, says := write(conditions)
	require.Equal(t, http.StatusOK, code, says)
	code, says = write(append(slices.Clone(conditions), conditions[0]))
	require.Equal(t, http.StatusUnprocessableEntity, code)
	require.Equal(t, `status.conditions[2]: Duplicate value: {"type":"Stalled"}`, says)
	conditions[0].Reason = ""
	code, says = write(conditions)
	require.Equal(t, http.StatusUnprocessableEntity, code, "metav1.Condition brings its own rules: %s", says)
}
