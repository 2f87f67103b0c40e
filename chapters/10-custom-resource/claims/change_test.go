package claims

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// older is the version of the book's types.
const older = "v1alpha1"

// create makes an object of the kind and gives what came back.
func (e *experiment) create(name string, spec object) string {
	e.t.Helper()
	a := e.must(http.MethodPost, e.at(older), e.object(older, name, with(sleeping(), spec)))
	return a.Object().GetResourceVersion()
}

// field reads a field of spec of an object, in a version.
func (e *experiment) field(version, name, field string) string {
	e.t.Helper()
	return e.must(http.MethodGet, e.at(version, name), nil).Field("spec", field)
}

// label writes a label, and nothing else, in a version.
func (e *experiment) label(version, name string) {
	e.t.Helper()
	e.must(http.MethodPatch, e.at(version, name), object{"metadata": object{"labels": object{"team": "red"}}})
}

// A field with a default appears in objects that are older than it. Nobody writes them: the resourceVersion is what it
// was, and another default is another value.
func TestANewFieldIsDefaultedAtRead(t *testing.T) {
	e := newStage(t).experiment(nil)
	made := e.create("old", nil)
	for _, niceness := range []int{5, 6} {
		e.change(func(spec object) {
			fieldsOf(version(spec, 0))["niceness"] = object{"type": "integer", "default": niceness}
		})
		read := e.must(http.MethodGet, e.at(older, "old"), nil)
		require.Equal(t, fmt.Sprint(niceness), read.Field("spec", "niceness"))
		require.Equal(t, made, read.Object().GetResourceVersion())
	}
	e.label(older, "old") // stores what was defaulted
	e.change(func(spec object) { fieldsOf(version(spec, 0))["niceness"].(object)["default"] = 7 })
	require.Equal(t, "6", e.field(older, "old", "niceness"), "a default that was written is a value like another")
}

// A rule is tightened, and an object breaks it by what it has already. That field may stay as it is while others
// change. When it changes, it has to keep the rule. A new object has no such past.
func TestRatcheting(t *testing.T) {
	e := newStage(t).experiment(nil)
	failing := func(n int) object { return object{"restartPolicy": "OnFailure", "maxRestarts": n} }
	e.create("old", with(failing(50), object{"args": []any{"one", "two"}}))
	e.change(func(spec object) {
		fields := fieldsOf(version(spec, 0))
		fields["maxRestarts"].(object)["maximum"] = 10
		fields["args"].(object)["x-kubernetes-validations"] = []any{
			object{"rule": "self.size() < 2", "message": "one is enough"}}
	})
	change := func(fields object) (code int, says string) {
		a := e.ask(http.MethodPatch, e.at(older, "old"), object{"spec": fields})
		return a.Code, strings.Join(a.Refusal(), "; ")
	}
	e.label(older, "old")
	code, says := change(object{"gracePeriodSeconds": 20})
	require.Equal(t, http.StatusOK, code, says)
	code, says = change(object{"maxRestarts": 49})
	require.Equal(t, http.StatusUnprocessableEntity, code, "it is better than before, and breaks the rule: %s", says)
	require.Contains(t, says, "spec.maxRestarts in body should be less than or equal to 10")
	code, says = change(object{"args": []any{"one", "two", "three"}})
	require.Equal(t, http.StatusUnprocessableEntity, code, "a rule in CEL likewise: %s", says)
	require.Contains(t, says, "one is enough")
	code, says = change(object{"maxRestarts": 10})
	require.Equal(t, http.StatusOK, code, says)

	a := e.ask(http.MethodPost, e.at(older), e.object(older, "new", with(sleeping(), failing(50))))
	require.Equal(t, http.StatusUnprocessableEntity, a.Code, "%s", a.Body)
}

// An object that breaks a stricter rule is refused also for changes of something else: of another item, in a list
// without keys, and of any field, where the rule is about the object that has the field. In a list with keys the
// other items are left in peace.
func TestWhatRatchetingLeavesOut(t *testing.T) {
	e := newStage(t).experiment(nil)
	zone := object{"name": "TZ", "value": "UTC"}
	e.create("old", object{"args": []any{"one", "two"}, "env": []any{zone}, "gracePeriodSeconds": 50})
	change := func(fields object) (code int, says string) {
		a := e.ask(http.MethodPatch, e.at(older, "old"), object{"spec": fields})
		return a.Code, strings.Join(a.Refusal(), "; ")
	}
	e.change(func(spec object) {
		fields := fieldsOf(version(spec, 0))
		fields["args"].(object)["items"].(object)["maxLength"] = 1
		fields["env"].(object)["items"].(object)["properties"].(object)["value"].(object)["maxLength"] = 1
	})
	code, says := change(object{"env": []any{zone, object{"name": "LANG", "value": "C"}}})
	require.Equal(t, http.StatusOK, code, says)
	code, says = change(object{"args": []any{"one", "two", "3"}})
	require.Equal(t, http.StatusUnprocessableEntity, code, says)
	require.Contains(t, says, "spec.args[0]")

	e.change(func(spec object) {
		whole := schemaOf(version(spec, 0))["spec"].(object)
		rules, _ := whole["x-kubernetes-validations"].([]any)
		whole["x-kubernetes-validations"] = append(rules,
			object{"rule": "self.gracePeriodSeconds < 50", "message": "too long"})
	})
	e.label(older, "old")
	code, says = change(object{"env": []any{zone}})
	require.Equal(t, http.StatusUnprocessableEntity, code, says)
	require.Contains(t, says, "too long")
}

// What the allOf, anyOf, oneOf or not of an object says of a field is checked when any field of the object changes.
// What a field's own allOf says is checked when the field changes. A rule can't stand below an allOf: such a definition
// is refused.
func TestRatchetingBelowAnAllOf(t *testing.T) {
	e := newStage(t).experiment(nil)
	e.create("old", object{"gracePeriodSeconds": 50, "args": []any{"1", "2"}})
	change := func(fields object) (code int, says string) {
		a := e.ask(http.MethodPatch, e.at(older, "old"), object{"spec": fields})
		return a.Code, strings.Join(a.Refusal(), "; ")
	}
	e.change(func(spec object) {
		fieldsOf(version(spec, 0))["args"].(object)["allOf"] = []any{object{"maxItems": 1}}
	})
	code, says := change(object{"env": []any{object{"name": "TZ", "value": "UTC"}}})
	require.Equal(t, http.StatusOK, code, says)
	code, says = change(object{"args": []any{"1", "3"}})
	require.Equal(t, http.StatusUnprocessableEntity, code, says)
	require.Contains(t, says, "spec.args")

	short := object{"properties": object{"gracePeriodSeconds": object{"maximum": 49}}}
	long := object{"properties": object{"gracePeriodSeconds": object{"minimum": 50}}}
	for keyword, below := range map[string]struct {
		schema any
		says   string
	}{
		"allOf": {[]any{short}, "spec.gracePeriodSeconds"},
		"anyOf": {[]any{short}, "spec.gracePeriodSeconds"},
		"oneOf": {[]any{short}, "spec.gracePeriodSeconds"},
		"not":   {long, `"spec" must not validate the schema (not)`},
	} {
		e.change(func(spec object) { schemaOf(version(spec, 0))["spec"].(object)[keyword] = below.schema })
		e.label(older, "old")
		code, says = change(object{"env": []any{}})
		require.Equal(t, http.StatusUnprocessableEntity, code, "%s: %s", keyword, says)
		require.Contains(t, says, below.says)
		require.NotContains(t, says, "spec.args")
		e.change(func(spec object) { delete(schemaOf(version(spec, 0))["spec"].(object), keyword) })
	}
	code, says = change(object{"env": []any{}})
	require.Equal(t, http.StatusOK, code, "without any of them: %s", says)

	fieldsOf(version(e.spec, 0))["args"].(object)["allOf"] = []any{
		object{"x-kubernetes-validations": []any{object{"rule": "size(self) < 2"}}}}
	a := e.ask(http.MethodPatch, crds+"/"+e.name, object{"spec": object{"versions": e.spec["versions"]}})
	require.Equal(t, http.StatusUnprocessableEntity, a.Code, "%s", a.Body)
	require.Contains(t, strings.Join(a.Refusal(), "; "), "must be empty to be structural")
}

// A field that the schema no longer has is hidden from readers at once, and is stored until the next write. If the
// schema gets it back before that, so do the readers.
func TestPruning(t *testing.T) {
	e := newStage(t).experiment(nil)
	env := object{"env": []any{object{"name": "TZ", "value": "UTC"}}}
	e.create("untouched", env)
	e.create("written", env)
	var schema any
	without := func(spec object) {
		fields := fieldsOf(version(spec, 0))
		schema = fields["env"]
		delete(fields, "env")
	}
	e.change(without)
	for _, name := range []string{"untouched", "written"} {
		require.Empty(t, e.field(older, name, "env"))
	}
	e.label(older, "written")
	e.change(func(spec object) { fieldsOf(version(spec, 0))["env"] = schema })
	require.NotEmpty(t, e.field(older, "untouched", "env"), "it was there all the time")
	require.Empty(t, e.field(older, "written", "env"), "the write dropped it")
}

// A field that no schema has is dropped. Whether anybody is told is the client's choice: client-go says nothing, which
// means a warning, kubectl says Strict.
func TestFieldValidation(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion) // the words are its
	s := newStage(t)
	const unknown = `unknown field "spec.maxRestart"`
	for i, c := range []struct {
		query, warning, refusal string
	}{
		{"", unknown, ""},
		{"?fieldValidation=Warn", unknown, ""},
		{"?fieldValidation=Ignore", "", ""},
		{"?fieldValidation=Strict", "",
			`Process in version "v1alpha1" cannot be handled as a Process: strict decoding error: ` + unknown},
	} {
		body := process(fmt.Sprint("typo-", i), object{"maxRestart": 3})
		a := s.ask(http.MethodPost, s.path("processes")+c.query, body)
		if c.refusal != "" {
			require.Equal(t, http.StatusBadRequest, a.Code, c.query)
			require.Equal(t, []string{c.refusal}, a.Refusal(), c.query)
			continue
		}
		require.Equal(t, http.StatusCreated, a.Code, c.query)
		require.Empty(t, a.Field("spec", "maxRestart"), c.query)
		want := ""
		if c.warning != "" {
			want = fmt.Sprintf("299 - %q", c.warning)
		}
		require.Equal(t, want, a.Header.Get("Warning"), c.query)
	}
	twice := `{"apiVersion":"scratch.example.com/v1alpha1","kind":"Process","metadata":{"name":"twice"},` +
		`"spec":{"command":"sleep","command":"top"}}`
	a := s.ask(http.MethodPost, s.path("processes")+"?fieldValidation=Strict", []byte(twice))
	require.Equal(t, http.StatusBadRequest, a.Code)
	require.Contains(t, a.Refusal()[0], `strict decoding error: duplicate field "spec.command"`)

	manifest, err := json.Marshal(process("typo", object{"maxRestart": 3}))
	require.NoError(t, err)
	out, err := cluster.KubectlFor(t, s.Kubeconfig, s.Namespace).Try(string(manifest), "apply", "-f", "-")
	require.Error(t, err)
	require.Equal(t, `Error from server (BadRequest): error when creating "STDIN": Process in version "v1alpha1" cannot be `+
		`handled as a Process: strict decoding error: unknown field "spec.maxRestart"`+"\n", out)
}

// newer is the version that is added.
const newer = "v1beta1"

// addNewer serves a second version, in which the grace period has another name and another type.
func addNewer(t *testing.T) func(spec object) {
	return func(spec object) {
		raw, err := json.Marshal(version(spec, 0))
		require.NoError(t, err)
		var added object
		require.NoError(t, json.Unmarshal(raw, &added))
		added["name"], added["storage"] = newer, false
		fields := fieldsOf(added)
		delete(fields, "gracePeriodSeconds")
		fields["gracePeriod"] = object{"type": "string"}
		spec["versions"] = append(spec["versions"].([]any), added)
	}
}

// store makes a version the one that is stored.
func store(name string) func(spec object) {
	return func(spec object) {
		for _, v := range spec["versions"].([]any) {
			v.(object)["storage"] = v.(object)["name"] == name
		}
	}
}

// Two versions, and the conversion None, which is the default: the server changes apiVersion and nothing else. Each
// version shows the fields that it has, and a write drops the others.
//
// covers: S0-04
func TestWithoutConversionAWriteLosesFields(t *testing.T) {
	e := newStage(t).experiment(nil)
	e.create("web", object{"gracePeriodSeconds": 30, "args": []any{"60"}})
	e.change(addNewer(t))
	asOlder, asNewer := e.must(http.MethodGet, e.at(older, "web"), nil), e.must(http.MethodGet, e.at(newer, "web"), nil)
	require.Equal(t, e.group+"/"+older, asOlder.Field("apiVersion"))
	require.Equal(t, e.group+"/"+newer, asNewer.Field("apiVersion"))
	require.Equal(t, asOlder.Field("metadata", "uid"), asNewer.Field("metadata", "uid"), "one object")
	require.Equal(t, asOlder.Field("spec", "args"), asNewer.Field("spec", "args"), "what both have, both show")
	require.Equal(t, "30", asOlder.Field("spec", "gracePeriodSeconds"))
	require.Empty(t, asNewer.Field("spec", "gracePeriodSeconds")+asNewer.Field("spec", "gracePeriod"))

	e.label(newer, "web")
	require.Equal(t, "10", e.field(older, "web", "gracePeriodSeconds"), "30 is lost, and 10 is the default")
	a := e.must(http.MethodPatch, e.at(newer, "web"), object{"spec": object{"gracePeriod": "30s"}})
	require.Empty(t, a.Field("spec", "gracePeriod"), "v1alpha1 is stored, which has no such field: the answer is 200 all the same")
	require.Empty(t, e.field(newer, "web", "gracePeriod"))
}

// toNewer is a conversion by hand.
func toNewer(from v1alpha1.Process, group string) object {
	spec := object{"command": from.Spec.Command, "args": from.Spec.Args, "restartPolicy": from.Spec.RestartPolicy}
	if seconds := from.Spec.GracePeriodSeconds; seconds != nil {
		spec["gracePeriod"] = fmt.Sprint(*seconds, "s")
	}
	return object{"apiVersion": group + "/" + newer, "kind": "Process", "spec": spec, "metadata": object{
		"name": from.Name, "resourceVersion": from.ResourceVersion}}
}

// An object is stored in the version that was chosen when it was last written. A client that knows both versions reads
// each object in the old one, converts it, and writes the new one. Then the old version can go: the server refuses that
// as long as status.storedVersions names it, which nobody but a person or a program takes out.
//
// covers: S0-04
func TestAClientConvertsWhatIsStored(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion) // the words are its
	e := newStage(t).experiment(nil)
	e.create("web", object{"gracePeriodSeconds": 30})
	e.change(addNewer(t))
	e.change(store(newer))
	stored := func() string {
		return e.must(http.MethodGet, crds+"/"+e.name, nil).Field("status", "storedVersions")
	}
	require.Equal(t, `["v1alpha1","v1beta1"]`, stored())
	require.Equal(t, "30", e.field(older, "web", "gracePeriodSeconds"), "web is stored as it was written, in v1alpha1")

	var old v1alpha1.Process
	require.NoError(t, json.Unmarshal(e.must(http.MethodGet, e.at(older, "web"), nil).Body, &old))
	e.must(http.MethodPut, e.at(newer, "web"), toNewer(old, e.group))
	require.Equal(t, "30s", e.field(newer, "web", "gracePeriod"))
	require.Empty(t, e.field(older, "web", "gracePeriodSeconds"), "now it is the old version that lacks it; its default is "+
		"no help, because defaults are those of the version that is stored")

	newerAlone := object{"spec": object{"versions": []any{version(e.spec, 1)}}}
	a := e.ask(http.MethodPatch, crds+"/"+e.name, newerAlone)
	require.Equal(t, http.StatusUnprocessableEntity, a.Code)
	require.Contains(t, a.Refusal()[0], `status.storedVersions[0]: Invalid value: "v1alpha1": missing from spec.versions`)
	e.must(http.MethodPatch, crds+"/"+e.name+"/status", object{"status": object{"storedVersions": []any{newer}}})
	e.must(http.MethodPatch, crds+"/"+e.name, newerAlone)
	require.Equal(t, `["v1beta1"]`, stored())
}

// Which version an object is stored in shows when the versions differ: a read goes through the schema of that version
// first. The two objects here are written in the same words, before and after the stored version changes.
//
// covers: S0-04
func TestEachObjectHasAStoredVersion(t *testing.T) {
	e := newStage(t).experiment(addNewer(t))
	env := object{"env": []any{object{"name": "TZ"}}}
	e.create("before", env)
	e.change(store(newer))
	e.create("after", env)
	e.change(func(spec object) { delete(fieldsOf(version(spec, 0)), "env") })
	require.Empty(t, e.field(newer, "before", "env"))
	require.NotEmpty(t, e.field(newer, "after", "env"))
}
