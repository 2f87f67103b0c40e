package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/net"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Answer is what a server answered.
type Answer struct {
	Code   int
	Header http.Header
	Body   []byte
}

// Send sends JSON. A refusal is no error.
func Send(ctx context.Context, client *http.Client, method, url string, body any) (a Answer, err error) {
	request, err := lab.NewRequest(ctx, method, url, body)
	if err != nil {
		return a, err
	}
	response, err := client.Do(request)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	a.Code, a.Header = response.StatusCode, response.Header
	a.Body, err = io.ReadAll(response.Body)
	return a, err
}

// String is the code with its name.
func (a Answer) String() string { return fmt.Sprint(a.Code, " ", http.StatusText(a.Code)) }

// OK says whether the server did what it was asked.
func (a Answer) OK() bool { return a.Code < http.StatusMultipleChoices }

// Object is the object that came back.
func (a Answer) Object() *unstructured.Unstructured {
	var o unstructured.Unstructured
	if json.Unmarshal(a.Body, &o.Object) != nil || o.Object == nil {
		o.Object = Object{}
	}
	return &o
}

// Field is a field of the object that came back, as JSON, or nothing.
func (a Answer) Field(path ...string) string {
	value, found, err := unstructured.NestedFieldNoCopy(a.Object().Object, path...)
	if err != nil || !found {
		return ""
	}
	return JSON(value)
}

// Refusal is why the server refused: each cause with its field, or the message, or what is no Status at all.
func (a Answer) Refusal() (reasons []string) {
	var status metav1.Status
	if json.Unmarshal(a.Body, &status) != nil {
		return []string{string(bytes.TrimSpace(a.Body))}
	}
	if status.Details != nil {
		for _, cause := range status.Details.Causes {
			// "<nil>" says that rules in CEL were not looked at, because the schema is broken already.
			if cause.Field != "" && cause.Field != "<nil>" {
				reasons = append(reasons, cause.Field+": "+cause.Message)
			}
		}
	}
	if len(reasons) == 0 {
		reasons = []string{status.Message}
	}
	return reasons
}

// Warning is the text of the warning in the answer's header.
func (a Answer) Warning() string {
	warnings, _ := net.ParseWarningHeaders(a.Header.Values("Warning"))
	var texts []string
	for _, w := range warnings {
		texts = append(texts, w.Text)
	}
	return strings.Join(texts, "; ")
}

// JSON is a value on one line, with its angle brackets as they are.
func JSON(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
