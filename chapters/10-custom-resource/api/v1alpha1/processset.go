package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ProcessSet keeps several Processes of one template alive.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:resource:shortName=procset,categories=scratch
// +kubebuilder:printcolumn:name="Desired",type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name="Current",type=integer,JSONPath=`.status.replicas`
// +kubebuilder:printcolumn:name="Ready",type=integer,JSONPath=`.status.readyReplicas`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ProcessSet struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says how many Processes there should be, and what each is.
	// +required
	Spec ProcessSetSpec `json:"spec"`
	// status says how many there are, as the controller saw it last.
	// +optional
	Status ProcessSetStatus `json:"status,omitzero"`
}

// ProcessSetList is several ProcessSets, as the API server lists them.
//
// +kubebuilder:object:root=true
type ProcessSetList struct {
	metav1.TypeMeta `json:""`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ProcessSet `json:"items"`
}

// ProcessSetSpec says how many Processes there should be, and what each is.
//
// +kubebuilder:validation:XValidation:rule="self.selector.all(k, has(self.template.labels) && k in self.template.labels && self.template.labels[k] == self.selector[k])",message="the selector must match the labels of the template, or the set would not know its own Processes",fieldPath=".template"
type ProcessSetSpec struct {
	// replicas is how many Processes there should be.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Replicas *int32 `json:"replicas,omitempty"`
	// selector are the labels by which the set knows its Processes.
	// +required
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=8
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the selector can't be changed: Processes that it no longer selects would be left behind"
	Selector map[string]string `json:"selector"`
	// template is what each Process is made from.
	// +required
	Template ProcessTemplate `json:"template"`
}

// ProcessTemplate is what a Process is made from.
type ProcessTemplate struct {
	// labels are those of each Process that is made.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	Labels map[string]string `json:"labels,omitempty"`
	// annotations are those of each Process that is made.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	Annotations map[string]string `json:"annotations,omitempty"`
	// spec is that of each Process that is made.
	// +required
	Spec ProcessSpec `json:"spec"`
}

// ProcessSetStatus is what the controller saw last. It can be computed anew at any time.
type ProcessSetStatus struct {
	// observedGeneration is the generation of the spec that the rest of the status is about.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// replicas is how many Processes there are.
	// +optional
	Replicas int32 `json:"replicas,omitempty"`
	// readyReplicas is how many of them run.
	// +optional
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`
	// selector is the spec's, as text: the scale subresource shows it.
	// +optional
	Selector string `json:"selector,omitempty"`
	// conditions are Ready and Stalled.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
